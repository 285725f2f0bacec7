import { onScopeDispose } from 'vue';
import { useBridge } from '../../bridge.ts';
import { ChangeGate } from './change-gate.ts';
import { useStreamsStore } from './store.ts';

/** Keeps the store of streams in step with the server, as long as the component lives. Returns what asks again after a failure. */
export function useStreamFeed(): { readonly retry: () => void } {
  const bridge = useBridge();
  const streams = useStreamsStore();
  const gate = new ChangeGate((message) => streams.apply(message, performance.now()));
  let end = bridge.on('streams', (message) => gate.take(message));

  // The list itself says why there is none; a subscription cannot.
  async function check(): Promise<void> {
    const reply = await bridge.call('streams.list', {});
    if (reply.ok) streams.apply({ is_snapshot: true, changed: reply.value.streams, removed: [] }, performance.now());
    else if (reply.error.code !== 'unavailable') streams.setFailure(reply.error);
  }

  function retry(): void {
    end();
    end = bridge.on('streams', (message) => gate.take(message));
    bridge.retryNow();
    void check();
  }

  const endLink = bridge.onLink((link) => {
    if (link.phase === 'live' && streams.phase !== 'ready') void check();
  });
  if (bridge.link.phase === 'live') void check();

  onScopeDispose(() => {
    end();
    endLink();
    gate.close();
  });
  return { retry };
}
