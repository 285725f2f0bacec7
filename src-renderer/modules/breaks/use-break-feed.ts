import { useBridge } from '../../server/bridge.ts';
import { useServerStore } from '../../server/server-store.ts';
import { useBridgeFeed } from '../../server/use-bridge-feed.ts';
import { useWhileLive } from '../../server/use-while-live.ts';
import { useBreaksStore } from './store.ts';

/** Maximum number of events of one request. */
const LIMIT = 1000;
/** Maximum number of rows of the as-run log of one request. */
const MAX_ROWS = 500;
/** Interval between two requests for sent times, in milliseconds. */
const SENT_MS = 2000;
/** Time after the planned end of a clip within which more of it may be sent, in seconds. */
const LATE_S = 60;

/** Loads the recorded events of breaks and subscribes to new ones, while the component is mounted. */
export function useBreakFeed(): void {
  const bridge = useBridge();
  const breaks = useBreaksStore();
  const server = useServerStore();
  let isSentLoaded = false;

  async function load(): Promise<void> {
    const [reply, progress] = await Promise.all([
      bridge.call('events.recent', { limit: LIMIT, event: 'splice_point,ad_inject,ad_skipped' }),
      bridge.call('events.recent', { limit: LIMIT, event: 'ad_progress' }),
    ]);
    if (progress.ok) breaks.loadProgress(progress.value.events, progress.value.events.length < LIMIT);
    if (reply.ok) breaks.addEvents(reply.value.events);
  }

  /** Loads the exact sent times, while clips are being sent. Logins that may not see the as-run log get quarters only. */
  async function loadSent(): Promise<void> {
    if (!server.may('breaks', 'operate')) return;
    const nowMs = Date.now() + server.clockOffsetMs;
    const isSending = breaks.events.some(
      ({ event, dts, duration }) => event === 'ad_inject' && Number(dts) + (Number(duration) + LATE_S) * 1000 > nowMs,
    );
    if (isSentLoaded && !isSending) return;
    const reply = await bridge.call('ads.as_run', { limit: MAX_ROWS });
    if (!reply.ok) return;
    isSentLoaded = true;
    breaks.setSent(reply.value.rows);
  }
  useWhileLive(() => void loadSent(), SENT_MS);

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
