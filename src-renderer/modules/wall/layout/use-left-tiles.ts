import { onScopeDispose, shallowRef, watch } from 'vue';
import type { Ref, ShallowRef } from 'vue';
import { KEPT_MS } from '../player/use-tile-player.ts';

/** Tiles that are kept at most, those that were left last: a decoder holds a dozen pictures. */
const MAX_LEFT = 16;

/** The tiles that were left a short time ago, oldest first: one that is seen again has its player still. None of those that are shown. */
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
      }, KEPT_MS);
      timers.add(timer);
    },
    // Together with what is shown: a tile must not be gone for a moment.
    { flush: 'sync' },
  );
  onScopeDispose(() => {
    for (const timer of timers) clearTimeout(timer);
  });
  return left;
}
