import type { ErrorValue } from '../../../src-preload/contract/index.ts';
import { useBridge } from '../../bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { isFileNews, useConfigState } from '../../server/use-config-state.ts';
import { useToastStore } from '../../ui/toast-store.ts';
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
  const config = useConfigState();

  function fail(text: string, error?: ErrorValue): void {
    const way = error && isFileNews(error) ? { action: { label: TEXTS.readAgain, run: () => void readAgain() } } : {};
    toasts.show({ kind: 'error', text: error ? `${text} ${errorSentence(error)}` : text, lastsMs: ERROR_MS, ...way });
  }

  async function readAgain(): Promise<void> {
    if (await config.act('config.reload')) toasts.show({ kind: 'info', text: TEXTS.wasRead, lastsMs: 4_000 });
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
    if (!reply.ok) return fail(TEXTS.notRemoved(name), reply.error);
    const { version } = reply.value;
    const undo = version === null ? {} : { action: { label: TEXTS.undo, run: () => void undoRemoval(name, version) } };
    toasts.show({ kind: 'info', text: TEXTS.removed(name), lastsMs: UNDO_MS, ...undo });
  }

  // Only the server knows the whole statement: what the desk sees lacks passwords, further inputs and options.
  async function undoRemoval(name: string, version: number): Promise<void> {
    const reply = await bridge.call('config.undo', { version });
    if (reply.ok) toasts.show({ kind: 'info', text: TEXTS.restored(name), lastsMs: 4_000 });
    else fail(TEXTS.notRestored(name), reply.error);
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
    else fail(TEXTS.notRestarted(name), reply.error);
  }

  return { remove, restart };
}
