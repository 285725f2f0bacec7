import type { StreamState } from '../../../src-preload/contract/index.ts';
import { useBridge } from '../../bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { passwordOf } from './publish-lines.ts';
import { useStreamsStore } from './store.ts';
import { TEXTS } from './texts.ts';

const UNDO_MS = 10_000;
const ERROR_MS = 12_000;

/** What an operator does to a stream from the wall. */
export interface StreamActions {
  remove(name: string): Promise<void>;
  restart(name: string): Promise<void>;
}

/** The actions, inside a component. Each asks first, shows that it is under way, and says how it ended. */
export function useStreamActions(): StreamActions {
  const bridge = useBridge();
  const streams = useStreamsStore();
  const confirm = useConfirmStore();
  const toasts = useToastStore();

  function fail(text: string): void {
    toasts.show({ kind: 'error', text, lastsMs: ERROR_MS });
  }

  async function remove(name: string): Promise<void> {
    const state = streams.byName.get(name)?.state;
    if (!state || streams.busy.has(name)) return;
    if (state.named_by === 'user') return fail(TEXTS.madeByPublisher(name));
    const isSure = await confirm.ask({
      title: TEXTS.removeTitle(name),
      body: TEXTS.removeBody(state.client_count),
      confirmLabel: TEXTS.remove,
      isDanger: true,
    });
    if (!isSure) return;
    streams.setBusy(name, true);
    const reply = await bridge.call('streams.remove', { name });
    streams.setBusy(name, false);
    if (!reply.ok) return fail(`${TEXTS.notRemoved(name)} ${errorSentence(reply.error)}`);
    const undo =
      state.input_url === undefined ? {} : { action: { label: TEXTS.undo, run: () => void addAgain(state) } };
    toasts.show({ kind: 'info', text: TEXTS.removed(name), lastsMs: UNDO_MS, ...undo });
  }

  async function addAgain(state: StreamState): Promise<void> {
    const password = passwordOf(state.publish_urls[0]);
    const reply = await bridge.call('streams.add', {
      name: state.name,
      input_url: state.input_url ?? '',
      ...(state.title === undefined ? {} : { title: state.title }),
      ...(password === undefined ? {} : { password }),
    });
    if (reply.ok) toasts.show({ kind: 'info', text: TEXTS.addedAgain(state.name), lastsMs: 4_000 });
    else fail(`${TEXTS.notAddedAgain(state.name)} ${errorSentence(reply.error)}`);
  }

  async function restart(name: string): Promise<void> {
    const state = streams.byName.get(name)?.state;
    if (!state || streams.busy.has(name)) return;
    const isSure = await confirm.ask({
      title: TEXTS.restartTitle(name),
      body: TEXTS.restartBody(state.client_count),
      confirmLabel: TEXTS.restart,
      isDanger: false,
    });
    if (!isSure) return;
    streams.setBusy(name, true);
    const reply = await bridge.call('streams.restart', { name });
    streams.setBusy(name, false);
    if (reply.ok) toasts.show({ kind: 'info', text: TEXTS.restarted(name), lastsMs: 4_000 });
    else fail(`${TEXTS.notRestarted(name)} ${errorSentence(reply.error)}`);
  }

  return { remove, restart };
}
