import type { ErrorValue, StreamState } from '../../../src-preload/contract/index.ts';
import { useBridge } from '../../server/bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { isFileChangedError, useConfigState } from '../../server/use-config-state.ts';
import { useServerStore } from '../../server/server-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { useStreamsStore } from './store.ts';
import { useTakeStore } from './take-store.ts';
import { TEXTS } from './texts.ts';

const UNDO_MS = 10_000;
const ERROR_MS = 12_000;

/** Actions of an operator on streams. */
export interface StreamActions {
  remove(name: string): Promise<void>;
  /** Removes several streams in one change, which can be undone as a whole. */
  removeAll(names: readonly string[]): Promise<void>;
  /** Enables or disables several streams in one change, which can be undone as a whole. */
  disableAll(names: readonly string[], isDisabled: boolean): Promise<void>;
  /**
   * Switches the recording of several streams on or off until they restart. Switching on adds recording to the configuration of
   * streams without an archive, which can be undone.
   */
  recordAll(names: readonly string[], isRecorded: boolean): Promise<void>;
  restart(name: string): Promise<void>;
  /** Restarts streams in sequence; stops at the first failure. */
  restartAll(names: readonly string[]): Promise<void>;
  /** Puts an input on air after showing its picture, by its index from 0; null returns to automatic selection by priority. */
  selectInput(name: string, input: number | null): Promise<void>;
}

/** Stream actions, for use inside a component. Each asks for confirmation, shows progress, and reports its result. */
export function useStreamActions(): StreamActions {
  const bridge = useBridge();
  const streams = useStreamsStore();
  const confirm = useConfirmStore();
  const take = useTakeStore();
  const toasts = useToastStore();
  const server = useServerStore();
  const config = useConfigState();

  function showFailure(text: string, error?: ErrorValue): void {
    const shown = error?.details?.['is_unanswered'] === true ? TEXTS.unanswered : text;
    const action =
      error && isFileChangedError(error) ? { action: { label: TEXTS.readAgain, run: () => void reloadConfig() } } : {};
    toasts.show({
      kind: 'error',
      text: error ? `${shown} ${errorSentence(error)}` : text,
      durationMs: ERROR_MS,
      ...action,
    });
  }

  async function reloadConfig(): Promise<void> {
    if (await config.act('config.reload')) toasts.show({ kind: 'info', text: TEXTS.wasRead, durationMs: 4_000 });
  }

  const stateOf = (name: string): StreamState | undefined => streams.byName.get(name)?.state;
  /** Existing streams that are not busy. */
  const free = (names: readonly string[]): StreamState[] =>
    names.flatMap((name) => (streams.busy.has(name) ? [] : (stateOf(name) ?? [])));
  const viewersOf = (states: readonly StreamState[]): number =>
    states.reduce((sum, { client_count: count }) => sum + count, 0);

  async function whileBusy<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    streams.setBusy(names, true);
    try {
      return await work();
    } finally {
      streams.setBusy(names, false);
    }
  }

  async function removeAll(selected: readonly string[]): Promise<void> {
    const states = free(selected);
    const published = states.find(({ named_by: by }) => by === 'user');
    if (published) return showFailure(TEXTS.madeByPublisher(published.name));
    const names = states.map(({ name }) => name);
    const [first] = names;
    if (first === undefined) return;
    const texts = textsFor(names);
    const isSure = await confirm.requestAnswer({
      title: texts.removeTitle,
      body: texts.removeBody(viewersOf(states)),
      confirmLabel: TEXTS.remove,
      isDestructive: true,
    });
    if (!isSure) return;
    const reply = await whileBusy(names, () =>
      names.length === 1
        ? bridge.call('streams.remove', { name: first })
        : bridge.call('streams.remove_all', { names }),
    );
    if (!reply.ok) return showFailure(texts.notRemoved, reply.error);
    const { version } = reply.value;
    const undo = version === null ? {} : { action: { label: TEXTS.undo, run: () => void undoRemoval(names, version) } };
    toasts.show({ kind: 'info', text: texts.removed, durationMs: UNDO_MS, ...undo });
  }

  // Only the server knows the complete statement: the desk does not receive passwords, further inputs and options.
  async function undoRemoval(names: readonly string[], version: number): Promise<void> {
    const texts = textsFor(names);
    const reply = await bridge.call('config.undo', { version });
    if (reply.ok) toasts.show({ kind: 'info', text: texts.restored, durationMs: 4_000 });
    else showFailure(texts.notRestored, reply.error);
  }

  async function disableAll(selected: readonly string[], isDisabled: boolean): Promise<void> {
    const states = free(selected);
    const published = states.find(({ named_by: by }) => by === 'user');
    if (published) return showFailure(TEXTS.madeByPublisher(published.name));
    const names = states.map(({ name }) => name);
    if (names.length === 0) return;
    const isSure =
      !isDisabled ||
      (await confirm.requestAnswer({
        title: TEXTS.disableTitle(names.length),
        body: TEXTS.disableBody(viewersOf(states)),
        confirmLabel: TEXTS.disable,
        isDestructive: true,
      }));
    if (!isSure) return;
    const reply = await whileBusy(names, () => bridge.call('streams.disable_all', { names, is_disabled: isDisabled }));
    if (!reply.ok) return showFailure(TEXTS.notDisabled, reply.error);
    const { version } = reply.value;
    const undo = version === null ? {} : { action: { label: TEXTS.undo, run: () => void undoSwitch(version) } };
    toasts.show({ kind: 'info', text: TEXTS.disabled(names.length, isDisabled), durationMs: UNDO_MS, ...undo });
  }

  async function undoSwitch(version: number): Promise<void> {
    const reply = await bridge.call('config.undo', { version });
    if (reply.ok) toasts.show({ kind: 'info', text: TEXTS.switchedBack, durationMs: 4_000 });
    else showFailure(TEXTS.notRestoredMany, reply.error);
  }

  async function recordAll(selected: readonly string[], isRecorded: boolean): Promise<void> {
    const states = free(selected);
    if (states.length === 0) return;
    if (!isRecorded && !(await isSureToStopRecording(states))) return;
    const withoutArchive =
      isRecorded && server.may('streams', 'edit') ? states.filter((state) => state.is_recorded === undefined) : [];
    const switched = states.filter((state) => !withoutArchive.includes(state)).map(({ name }) => name);
    if (withoutArchive.length > 0 && !(await addRecording(withoutArchive))) return;
    if (switched.length === 0) return;
    const reply = await whileBusy(switched, () =>
      bridge.call('streams.record_all', { names: switched, is_recorded: isRecorded }),
    );
    if (!reply.ok) return showFailure(TEXTS.notDisabled, reply.error);
    toasts.show({ kind: 'info', text: TEXTS.recorded(switched.length, isRecorded), durationMs: 4_000 });
  }

  function isSureToStopRecording(states: readonly StreamState[]): Promise<boolean> {
    const [first, ...others] = states;
    return confirm.requestAnswer({
      title: others.length === 0 && first ? TEXTS.stopTitle(first.name) : TEXTS.stopManyTitle(states.length),
      body: TEXTS.stopBody,
      confirmLabel: TEXTS.stopRecording,
      isDestructive: true,
    });
  }

  /** Adds recording to the configuration of streams without an archive. Returns whether it succeeded. */
  async function addRecording(states: readonly StreamState[]): Promise<boolean> {
    const published = states.find(({ named_by: by }) => by === 'user');
    const isSure =
      !published ||
      (await confirm.requestAnswer({
        title: TEXTS.recordPrefixTitle(published.name),
        body: TEXTS.recordPrefixBody(published.name),
        confirmLabel: TEXTS.record,
        isDestructive: false,
      }));
    if (!isSure) return false;
    const names = states.map(({ name }) => name);
    const reply = await whileBusy(names, () => bridge.call('streams.add_recording', { names }));
    if (!reply.ok) {
      showFailure(TEXTS.notDisabled, reply.error);
      return false;
    }
    const { version, storage, days } = reply.value;
    const [first = ''] = names;
    const text = TEXTS.recordingAdded(names.length === 1 ? first : TEXTS.streams(names.length), storage, days);
    const undo = version === null ? {} : { action: { label: TEXTS.undo, run: () => void undoSwitch(version) } };
    toasts.show({ kind: 'info', text, durationMs: UNDO_MS, ...undo });
    return true;
  }

  async function restartAll(selected: readonly string[]): Promise<void> {
    const states = free(selected);
    const names = states.map(({ name }) => name);
    if (names.length === 0) return;
    const texts = textsFor(names);
    const isSure = await confirm.requestAnswer({
      title: texts.restartTitle,
      body: texts.restartBody(viewersOf(states)),
      confirmLabel: TEXTS.restart,
      isDestructive: false,
    });
    if (!isSure) return;
    let done = 0;
    const error = await whileBusy(names, async () => {
      for (const name of names) {
        const reply = await bridge.call('streams.restart', { name });
        if (!reply.ok) return reply.error;
        done++;
      }
      return undefined;
    });
    if (error) showFailure(texts.notRestarted(done), error);
    else toasts.show({ kind: 'info', text: texts.restarted, durationMs: 4_000 });
  }

  async function selectInput(name: string, input: number | null): Promise<void> {
    if (input !== null && !(await take.requestAnswer(name, input))) return;
    const reply = await whileBusy([name], () => bridge.call('streams.select_input', { name, input }));
    if (!reply.ok) showFailure(TEXTS.notSelected(name), reply.error);
  }

  return {
    remove: (name) => removeAll([name]),
    removeAll,
    disableAll,
    recordAll,
    restart: (name) => restartAll([name]),
    restartAll,
    selectInput,
  };
}

/** Texts for one stream or for several. */
function textsFor(names: readonly string[]) {
  const count = names.length;
  const [name = ''] = names;
  return count === 1
    ? {
        removeTitle: TEXTS.removeTitle(name),
        removeBody: TEXTS.removeBody,
        removed: TEXTS.removed(name),
        notRemoved: TEXTS.notRemoved(name),
        restored: TEXTS.restored(name),
        notRestored: TEXTS.notRestored(name),
        restartTitle: TEXTS.restartTitle(name),
        restartBody: TEXTS.restartBody,
        restarted: TEXTS.restarted(name),
        notRestarted: () => TEXTS.notRestarted(name),
      }
    : {
        removeTitle: TEXTS.removeManyTitle(count),
        removeBody: TEXTS.removeManyBody,
        removed: TEXTS.removedMany(count),
        notRemoved: TEXTS.notRemovedMany(count),
        restored: TEXTS.restoredMany(count),
        notRestored: TEXTS.notRestoredMany,
        restartTitle: TEXTS.restartManyTitle(count),
        restartBody: TEXTS.restartManyBody,
        restarted: TEXTS.restartedMany(count),
        notRestarted: (done: number) => TEXTS.restartedSome(done, count),
      };
}
