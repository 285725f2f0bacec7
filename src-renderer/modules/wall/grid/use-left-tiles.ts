import { onScopeDispose, shallowRef, watch } from 'vue';
import type { Ref, ShallowRef } from 'vue';
import { HIDDEN_MS } from '../player/use-tile-player.ts';

/** Maximum number of tiles that stay mounted: each decoder buffers about a dozen pictures. */
const MAX_LEFT = 16;

/**
 * Tiles that were left recently, oldest first: a tile that becomes visible again still has its player. Excludes visible tiles.
 */
export function useLeftTiles<Tile extends { readonly name: string }>(
  shown: Readonly<Ref<readonly Tile[]>>,
): Readonly<ShallowRef<readonly Tile[]>> {
  const left = shallowRef<readonly Tile[]>([]);
  const timers = new Set<ReturnType<typeof setTimeout>>();
  watch(
    shown,
    (now, before) => {
      const names = new Set(now.map(({ name }) => name));
      const gone = before.filter(({ name }) => !names.has(name));
      left.value = [...left.value.filter(({ name }) => !names.has(name)), ...gone].slice(-MAX_LEFT);
      if (gone.length === 0) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        left.value = left.value.filter((tile) => !gone.includes(tile));
      }, HIDDEN_MS);
      timers.add(timer);
    },
    // Changes together with the visible tiles, so that no tile is missing in between.
    { flush: 'sync' },
  );
  onScopeDispose(() => {
    for (const timer of timers) clearTimeout(timer);
  });
  return left;
}
