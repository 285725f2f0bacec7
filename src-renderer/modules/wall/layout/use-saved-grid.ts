import { useLocalStorage } from '@vueuse/core';
import { watch } from 'vue';
import { GRIDS } from './grid-math.ts';
import { useWallStore } from '../store.ts';

/** Keeps the grid that the operator chose on this machine, so that the wall comes back as it was left. */
export function useSavedGrid(): void {
  const wall = useWallStore();
  const saved = useLocalStorage('airdesk.wall.grid', 0);
  const known = GRIDS.find((grid) => grid === saved.value);
  if (known !== undefined) wall.setGrid(known);
  watch(
    () => wall.chosenGrid,
    (grid) => {
      saved.value = grid ?? 0;
    },
  );
}
