import { useBridge } from '../../server/bridge.ts';
import { useBridgeFeed } from '../../server/use-bridge-feed.ts';
import { useBreaksStore } from './store.ts';

/** Maximum number of events of one request. */
const LIMIT = 1000;

/** Loads the recorded events of breaks and subscribes to new ones, while the component is mounted. */
export function useBreakFeed(): void {
  const bridge = useBridge();
  const breaks = useBreaksStore();

  async function load(): Promise<void> {
    const [reply, progress] = await Promise.all([
      bridge.call('events.recent', { limit: LIMIT, event: 'splice_point,ad_inject,ad_skipped' }),
      bridge.call('events.recent', { limit: LIMIT, event: 'ad_progress' }),
    ]);
    if (progress.ok) breaks.loadProgress(progress.value.events, progress.value.events.length < LIMIT);
    if (reply.ok) breaks.addEvents(reply.value.events);
  }

  useBridgeFeed({
    // The server has recorded events that occurred while the connection was lost.
    link: ({ phase }) => {
      if (phase === 'live') void load();
    },
    topics: {
      events: ({ events, is_snapshot: isSnapshot }) => {
        if (!isSnapshot) breaks.addEvents(events);
      },
    },
  });
}
