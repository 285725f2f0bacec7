import { onScopeDispose, ref, watch } from 'vue';
import type { Ref, ShallowRef } from 'vue';
import { TilePlayer } from '../player/tile-player.ts';
import type { PlayerPhase } from '../player/tile-player.ts';

/** Plays an address in a video element. @param url null if there is nothing to play */
export function useCellPlayer(
  video: Readonly<ShallowRef<HTMLVideoElement | null>>,
  url: () => string | null,
): Readonly<Ref<PlayerPhase>> {
  const phase = ref<PlayerPhase>('idle');
  let player: TilePlayer | null = null;
  watch(
    // The player itself takes over a new query.
    [video, () => url()?.split('?', 1)[0] ?? null],
    ([element, address]) => {
      player?.close();
      player = null;
      if (!element || address === null) return;
      player = new TilePlayer(
        element,
        () => url() ?? address,
        (next) => (phase.value = next),
      );
      player.start(0);
    },
    { immediate: true, flush: 'post' },
  );
  onScopeDispose(() => player?.close());
  return phase;
}
