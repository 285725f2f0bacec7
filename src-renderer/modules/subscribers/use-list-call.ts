import { useBridge } from '../../server/bridge.ts';
import { useCall, type ShownCall } from '../../server/use-call.ts';
import { useWhileLive } from '../../server/use-while-live.ts';

/** Interval at which a list follows changes by others, in milliseconds. */
const POLL_MS = 5_000;

/** Calls of a list that follows changes by others, for example by a billing system. */
export interface ListCall {
  /** Calls the server. Errors are shown, except those of loads by `follow`. */
  readonly call: ShownCall;
  /**
   * Loads the list periodically and after a reconnection. Errors are shown by the list only.
   *
   * @param isFollowing whether the list may be loaded now
   * @param load starts its call at once, before it waits for anything
   */
  follow(isFollowing: () => boolean, load: () => Promise<void>): void;
}

export function useListCall(): ListCall {
  const bridge = useBridge();
  const shownCall = useCall();
  let isQuiet = false;
  return {
    async call(name, input) {
      if (!isQuiet) return shownCall(name, input);
      const reply = await bridge.call(name, input);
      return reply.ok ? reply.value : undefined;
    },
    follow(isFollowing, load) {
      useWhileLive(() => {
        if (!isFollowing()) return;
        isQuiet = true;
        void load();
        isQuiet = false;
      }, POLL_MS);
    },
  };
}
