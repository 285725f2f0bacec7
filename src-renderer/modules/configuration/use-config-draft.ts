import { computed, ref, shallowRef, watch } from 'vue';
import type { CallOutput } from '../../../src-preload/contract/index.ts';
import { useBridgeFeed } from '../../server/use-bridge-feed.ts';
import { useCall } from '../../server/use-call.ts';
import { useConfigState } from '../../server/use-config-state.ts';
import { useServerStore } from '../../server/server-store.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import type { BlockHelp } from '../../domain/settings/setting-blocks.ts';
import { mergeTexts } from './merge-texts.ts';
import { useConfigurationStore } from './store.ts';
import { TEXTS } from './editor/texts.ts';
import { useTextCheck } from './use-text-check.ts';

const UNDO_MS = 20_000;

/** Edited configuration text and the actions on it, for use inside a component. */
export function useConfigDraft() {
  const call = useCall();
  const store = useConfigurationStore();
  const server = useServerStore();
  const toasts = useToastStore();
  const confirm = useConfirmStore();
  const { state, refresh } = useConfigState();
  const isFailed = ref(false);
  const isBusy = ref(false);
  const help = shallowRef<BlockHelp>({});
  /** Running configuration, if the edited text is based on an older one; otherwise null. */
  const newer = shallowRef<CallOutput<'config.text'> | null>(null);
  const check = useTextCheck();

  /** Loads the running configuration. An unedited text follows it; an edited text stays. */
  async function load(): Promise<void> {
    if (!server.may('configuration', 'edit')) return;
    const current = await call('config.text', {});
    isFailed.value = current === undefined && store.base === null;
    if (!current) return;
    if (!store.isChanged) store.open(current);
    else newer.value = current.revision === store.base?.revision ? null : current;
    if (!store.isChanged) newer.value = null;
  }
  async function loadHelp(): Promise<void> {
    if (!server.may('configuration', 'edit') || Object.keys(help.value).length > 0) return;
    help.value = (await call('config.directives', {}))?.blocks ?? {};
  }
  useBridgeFeed({
    link: ({ phase }) => {
      if (phase === 'live') void Promise.all([load(), loadHelp()]);
    },
  });
  watch(
    () => server.may('configuration', 'edit'),
    () => void Promise.all([load(), loadHelp()]),
  );
  // Loads a new version, which was applied here or elsewhere.
  watch(
    () => state.value?.version,
    (version) => {
      if (store.base !== null && version !== store.base.version && !isBusy.value) void load();
    },
  );

  const isOnTrial = computed(() => (state.value?.pending ?? null) !== null);
  /** Reason why the text cannot be applied now; empty if it can. */
  const obstacle = computed(() => {
    if (server.isStale) return TEXTS.offline;
    if (isOnTrial.value) return TEXTS.onTrial;
    if (newer.value) return TEXTS.changedMeanwhile;
    return store.errors.length > 0 ? TEXTS.errorCount(store.errors.length) : check.failure.value;
  });
  const mayApply = computed(() => store.isChanged && store.isChecked && obstacle.value === '' && !isBusy.value);

  /** @param seconds trial period; permanent without it */
  async function apply(seconds?: number): Promise<void> {
    const { base, text } = store;
    if (!base || !mayApply.value) return;
    isBusy.value = true;
    const trial = seconds === undefined ? {} : { confirm_within: seconds };
    const done = await call('config.apply', { text, revision: base.revision, ...trial });
    if (done) {
      store.rebase(base, base.text);
      if (seconds === undefined) offerUndo(done.version, TEXTS.applied);
      else toasts.show({ kind: 'info', text: TEXTS.appliedFor(seconds), durationMs: 6000 });
    }
    await Promise.all([load(), refresh()]);
    isBusy.value = false;
  }
  function offerUndo(version: number | null, text: string): void {
    const action = version === null ? {} : { action: { label: TEXTS.undo, run: () => void undo(version) } };
    toasts.show({ kind: 'info', text, durationMs: UNDO_MS, ...action });
  }
  async function undo(version: number): Promise<void> {
    if (await call('config.undo', { version })) await load();
  }
  /** Applies a version of the history unchanged, with the secrets that it had. */
  async function restore(id: number): Promise<void> {
    isBusy.value = true;
    const done = await call('config.restore', { id });
    if (done) offerUndo(done.version, TEXTS.restored(id));
    await load();
    isBusy.value = false;
  }
  async function discard(): Promise<void> {
    const question = {
      title: TEXTS.discardTitle,
      body: TEXTS.discardBody,
      confirmLabel: TEXTS.discard,
      isDestructive: true,
    };
    if (!(await confirm.requestAnswer(question)) || !store.base) return;
    store.open(newer.value ?? store.base);
    newer.value = null;
  }
  /** Merges the running configuration into the text. */
  function merge(): void {
    if (!newer.value || !store.base) return;
    const { text, conflicts } = mergeTexts(store.base.text, store.text, newer.value.text);
    store.rebase(newer.value, text);
    newer.value = null;
    toasts.show({ kind: 'info', text: conflicts > 0 ? TEXTS.conflicts(conflicts) : TEXTS.merged, durationMs: 10_000 });
  }
  /** Replaces the edited text. Resolves to false if the operator cancelled. */
  async function replaceText(text: string): Promise<boolean> {
    const question = {
      title: TEXTS.replaceTitle,
      body: TEXTS.replaceBody,
      confirmLabel: TEXTS.replace,
      isDestructive: true,
    };
    if (store.isChanged && !(await confirm.requestAnswer(question))) return false;
    store.setText(text);
    return true;
  }

  return {
    store,
    server,
    help,
    check,
    newer,
    isFailed,
    isBusy,
    isOnTrial,
    obstacle,
    mayApply,
    load,
    apply,
    discard,
    merge,
    restore,
    replaceText,
  };
}
