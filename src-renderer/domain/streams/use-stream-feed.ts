import { inject, onScopeDispose, provide, type InjectionKey } from 'vue';
import { useBridge } from '../../server/bridge.ts';
import { useBridgeFeed } from '../../server/use-bridge-feed.ts';
import { ChangeGate } from './change-gate.ts';
import { useStreamsStore } from './store.ts';

const retryKey: InjectionKey<() => void> = Symbol('stream retry');

/** Keeps the store up to date for all pages inside the component. */
export function provideStreamFeed(): void {
  provide(retryKey, useStreamFeed().retry);
}

/** Function that requests the streams again after a failure, for use inside a page. */
export function useStreamRetry(): () => void {
  const retry = inject(retryKey);
  if (!retry) throw new Error('no stream feed around the page');
  return retry;
}

/**
 * Keeps the stream store in sync with the server while the component is mounted. Returns a function that tries again after a
 * failure.
 */
export function useStreamFeed(): { readonly retry: () => void } {
  const bridge = useBridge();
  const streams = useStreamsStore();
  const gate = new ChangeGate((message) => streams.apply(message, performance.now()));
  onScopeDispose(() => gate.close());

  // A call reports the reason of a failure; a subscription cannot.
  async function check(): Promise<void> {
    const reply = await bridge.call('streams.list', { max: 0 });
    if (!reply.ok && reply.error.code !== 'unavailable') streams.setFailure(reply.error);
  }

  const feed = useBridgeFeed({
    link: (link) => {
      if (link.phase === 'live' && streams.phase !== 'ready') void check();
    },
    topics: { streams: (message) => gate.add(message) },
  });

  function retry(): void {
    feed.renew();
    bridge.retryNow();
    void check();
  }
  return { retry };
}
