import { useDebounceFn } from '@vueuse/core';
import { computed, ref, shallowRef, watch } from 'vue';
import type { CallOutput } from '../../../src-preload/contract/index.ts';
import type { ConfigImpact } from '../../../src-preload/contract/operations/config-impact.ts';
import { useCall } from '../../server/use-call.ts';
import { useConfigState } from '../../server/use-config-state.ts';
import { TEXTS as COMMON } from '../../ui/texts.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { fieldProblem } from './field-problem.ts';
import { SettingBlocks, type BlockHelp } from './setting-blocks.ts';
import { mergeEdits, type StatementEdit } from './statements.ts';
import { TEXTS } from './texts.ts';

const UNDO_MS = 20_000;
/** Delay after the last key press before the server is asked for the new text. */
const QUIET_MS = 250;

/** Edits of one field. */
export interface FieldChange {
  /** Identity of the field, beside which a problem with the edits is shown. */
  readonly key: string;
  readonly edits: readonly StatementEdit[];
}

/** Reason why the last change was refused, and the field that it belongs to. */
export interface FieldFailure {
  readonly key: string;
  readonly text: string;
}

/**
 * Settings of a stream, and edits of them that are applied together, for use inside a component. The server writes the
 * edits into the text and reports their effect.
 */
export function useStreamSettings(stream: string) {
  const call = useCall();
  const toasts = useToastStore();
  const { state } = useConfigState();
  const base = shallowRef<CallOutput<'config.text'>>();
  const help = shallowRef<BlockHelp>({});
  const isFailed = ref(false);
  /** Edits in order; they are repeated if the running configuration changes. */
  const edits = shallowRef<readonly StatementEdit[]>([]);
  /** Edits that `text` already contains. */
  const editsInText = shallowRef<readonly StatementEdit[]>([]);
  const text = shallowRef('');
  const failure = shallowRef<FieldFailure>();
  const impact = shallowRef<ConfigImpact | null>(null);
  const isBusy = ref(false);
  let lastKey = '';
  let working: Promise<void> = Promise.resolve();

  const blocks = computed(() => new SettingBlocks(base.value?.text ?? '', help.value));
  const block = computed(() => blocks.value.blockOf(stream));
  const settings = computed(() => (block.value ? blocks.value.settingsOf(block.value, edits.value) : undefined));
  const blockText = computed(() => (block.value ? new SettingBlocks(text.value, help.value).textOf(block.value) : ''));
  const isOnTrial = computed(() => (state.value?.pending ?? null) !== null);
  const isChanged = computed(() => edits.value.length > 0);
  const mayApply = computed(
    () =>
      isChanged.value &&
      editsInText.value === edits.value &&
      !failure.value &&
      impact.value !== null &&
      !isOnTrial.value,
  );

  /** Loads the running configuration, and applies the edits to it. */
  async function load(): Promise<void> {
    const known = Object.keys(help.value).length > 0 ? undefined : call('config.directives', {});
    const current = await call('config.text', {});
    help.value = (await known)?.blocks ?? help.value;
    isFailed.value = current === undefined && base.value === undefined;
    if (!current) return;
    base.value = current;
    await updateText();
  }

  /** Asks the server for the text with the current edits, and for its effect. */
  async function updateText(): Promise<void> {
    if (!base.value || !block.value) return;
    const target = edits.value;
    const named = { block: block.value.kind, name: block.value.name };
    const before = settings.value ? blocks.value.withStorage(settings.value) : base.value.text;
    const edited =
      target.length === 0
        ? { text: before, errors: [] }
        : await call('config.edit_text', { text: before, edits: target.map((edit) => ({ ...named, ...edit })) });
    if (!edited) return;
    const checked =
      target.length === 0 || edited.errors.length > 0 ? undefined : await call('config.check', { text: edited.text });
    const [problem] = [...edited.errors, ...(checked?.errors ?? [])];
    failure.value = problem ? { key: lastKey, text: fieldProblem(problem) } : undefined;
    [editsInText.value, impact.value] = [target, checked?.impact ?? null];
    if (edited.errors.length === 0) text.value = edited.text;
    if (edited.text === base.value.text && edits.value === target) editsInText.value = edits.value = [];
  }

  /** Runs one task at a time, so that each task sees the result of the previous one. */
  function queue(work: () => Promise<void>): Promise<void> {
    working = working.then(async () => {
      isBusy.value = true;
      await work();
      isBusy.value = false;
    });
    return working;
  }
  const updateTextLater = useDebounceFn(() => queue(updateText), QUIET_MS);

  async function apply(): Promise<void> {
    if (!base.value || !mayApply.value) return;
    const done = await call('config.apply', { text: text.value, revision: base.value.revision });
    if (done) {
      edits.value = [];
      const { version } = done;
      const undo =
        version === null ? {} : { action: { label: COMMON.undo, run: () => void call('config.undo', { version }) } };
      toasts.show({ kind: 'info', text: TEXTS.applied(block.value?.name ?? stream), durationMs: UNDO_MS, ...undo });
    }
    await load();
  }

  watch(
    () => state.value?.version,
    (version) => {
      if (base.value && version !== base.value.version && !isBusy.value) void queue(load);
    },
  );
  void queue(load);

  return {
    settings,
    block,
    existing: computed(() => blocks.value.existing),
    blockText,
    failure,
    impact,
    isBusy,
    isFailed,
    isRead: computed(() => base.value !== undefined),
    isChanged,
    isOnTrial,
    mayApply,
    reload: () => queue(load),
    write({ key, edits: added }: FieldChange): void {
      if (added.length === 0) return;
      lastKey = key;
      edits.value = mergeEdits(edits.value, added);
      void updateTextLater();
    },
    /** Applies the edits. @returns true if all edits are applied */
    apply: async () => {
      await queue(apply);
      return !isChanged.value;
    },
    discard(): void {
      edits.value = [];
      void queue(updateText);
    },
  };
}
