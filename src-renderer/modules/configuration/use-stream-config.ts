import { computed, shallowRef, watch } from 'vue';
import type { ConfigImpact } from '../../../src-preload/contract/operations/config-impact.ts';
import { formStatements } from '../../../src-preload/contract/config-language/block-form.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import { parseConfigText } from '../../../src-preload/contract/config-language/parse.ts';
import type { DirectiveHelp } from '../../../src-preload/contract/config-language/directive-help.ts';
import type { CallOutput } from '../../../src-preload/contract/index.ts';
import { useCall } from '../../server/use-call.ts';
import { useConfigState } from '../../server/use-config-state.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { problemText } from '../../lib/problem-text.ts';
import { TEXTS } from './editor/texts.ts';
import type { BlockForm, StatementEdit } from './use-block-form.ts';

const UNDO_MS = 20_000;

/** Configuration of one stream, for use inside a component: its statements, and edits that are applied together. */
export function useStreamConfig(name: string) {
  const call = useCall();
  const toasts = useToastStore();
  const { state } = useConfigState();
  const base = shallowRef<CallOutput<'config.text'>>();
  const help = shallowRef<readonly DirectiveHelp[]>([]);
  /** Edits in order; they are repeated if the running configuration changes. */
  const edits = shallowRef<readonly StatementEdit[]>([]);
  const text = shallowRef('');
  const failure = shallowRef('');
  const impact = shallowRef<ConfigImpact | null>(null);
  const isBusy = shallowRef(false);
  let working: Promise<void> = Promise.resolve();

  const block = computed(() =>
    parseConfigText(text.value).directives.find(
      (one) => one.name === 'stream' && one.block !== undefined && argumentsOf(one)[0]?.value === name,
    ),
  );
  const blockText = computed(() => (block.value ? text.value.slice(block.value.from, block.value.to) : ''));
  const form = computed<BlockForm | undefined>(() =>
    block.value ? { kind: 'stream', name, statements: formStatements(blockText.value, help.value) } : undefined,
  );

  /** Loads the running configuration, and applies the edits to it. */
  async function load(): Promise<void> {
    const known = help.value.length > 0 ? undefined : call('config.directives', {});
    const current = await call('config.text', {});
    help.value = (await known)?.blocks['stream'] ?? help.value;
    if (!current) return;
    base.value = current;
    await make(edits.value);
  }

  async function make(newEdits: readonly StatementEdit[]): Promise<void> {
    if (!base.value) return;
    const before = base.value.text;
    const edited =
      newEdits.length === 0
        ? { text: before, errors: [] }
        : await call('config.edit_text', {
            text: before,
            edits: newEdits.map((edit) => ({ block: 'stream', name, ...edit })),
          });
    if (!edited) return;
    failure.value = problemText(edited.errors[0]);
    // An edit that fails is dropped.
    if (edited.errors.length > 0) return;
    [edits.value, text.value, impact.value] = [newEdits, edited.text, null];
    if (edited.text === before) edits.value = [];
    else await check();
  }
  async function check(): Promise<void> {
    const checked = await call('config.check', { text: text.value });
    failure.value = problemText(checked?.errors[0]);
    impact.value = checked?.impact ?? null;
  }

  /** In sequence: each edit starts from the result of the last. */
  function queue(work: () => Promise<void>): Promise<void> {
    working = working.then(async () => {
      isBusy.value = true;
      await work();
      isBusy.value = false;
    });
    return working;
  }
  async function apply(): Promise<void> {
    if (!base.value || edits.value.length === 0) return;
    const done = await call('config.apply', { text: text.value, revision: base.value.revision });
    if (done) {
      edits.value = [];
      const { version } = done;
      const undo =
        version === null ? {} : { action: { label: TEXTS.undo, run: () => void call('config.undo', { version }) } };
      toasts.show({ kind: 'info', text: TEXTS.applied, durationMs: UNDO_MS, ...undo });
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
    form,
    blockText,
    help,
    failure,
    impact,
    isBusy,
    isRead: computed(() => base.value !== undefined),
    isChanged: computed(() => edits.value.length > 0),
    isOnTrial: computed(() => (state.value?.pending ?? null) !== null),
    write: (edit: StatementEdit) => queue(() => make([...edits.value, edit])),
    apply: () => queue(apply),
    discard: () => queue(() => make([])),
  };
}
