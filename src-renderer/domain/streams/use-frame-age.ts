import { useNow } from '../../server/use-now.ts';
import { useServerStore } from '../../server/server-store.ts';
import { frameAgeMs } from './store.ts';
import type { StreamReport } from './store.ts';

/**
 * Age of the last frame of a stream, for use inside a component. The age does not grow while the connection is stale, because
 * the server may receive frames that the desk does not know of.
 */
export interface FrameAge {
  /** Reactive, updated twice a second; milliseconds, null before the first frame. */
  shown(report: StreamReport): number | null;
  /** Present value, for the frame loop. */
  exact(report: StreamReport): number | null;
}

/** Frame ages, for use inside a component. */
export function useFrameAge(): FrameAge {
  const server = useServerStore();
  const { pageMs } = useNow();
  return {
    shown: (report) => frameAgeMs(report, server.isStale ? report.receivedAtMs : pageMs.value),
    exact: (report) => frameAgeMs(report, server.isStale ? report.receivedAtMs : performance.now()),
  };
}
