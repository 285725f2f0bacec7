import { useNow } from '../../server/use-now.ts';
import { useServerStore } from '../../server/server-store.ts';
import { frameAgeMs } from './store.ts';
import type { HeardStream } from './store.ts';

/** Age of the last frame of a stream, inside a component. While nothing is heard from the server it stands still: frames may come unseen. */
export interface FrameAge {
  /** Reactive, twice a second; milliseconds, null before the first frame. */
  shown(heard: HeardStream): number | null;
  /** The same as of this moment, for the frame loop. */
  exact(heard: HeardStream): number | null;
}

/** The ages of frames, inside a component. */
export function useFrameAge(): FrameAge {
  const server = useServerStore();
  const { pageMs } = useNow();
  return {
    shown: (heard) => frameAgeMs(heard, server.isStale ? heard.heardAtMs : pageMs.value),
    exact: (heard) => frameAgeMs(heard, server.isStale ? heard.heardAtMs : performance.now()),
  };
}
