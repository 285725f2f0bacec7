import { useBridge } from '../../bridge.ts';
import { useBridgeFeed } from '../../server/use-bridge-feed.ts';
import { useBreaksStore } from './store.ts';

/** Asks for what the server remembers of breaks, and listens, as long as the component lives. */
export function useBreakFeed(): void {
  const bridge = useBridge();
  const breaks = useBreaksStore();

  async function ask(): Promise<void> {
    const reply = await bridge.call('events.recent', { limit: 1000, event: 'splice_point,ad_inject,ad_skipped' });
    if (reply.ok) breaks.take(reply.value.events);
  }

  useBridgeFeed({
    // What happened while the connection was away is remembered by the server.
    link: ({ phase }) => {
      if (phase === 'live') void ask();
    },
    topics: {
      events: ({ events, is_snapshot: isSnapshot }) => {
        if (!isSnapshot) breaks.take(events);
      },
    },
  });
}
