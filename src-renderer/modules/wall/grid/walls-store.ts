import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import type { ListedWall } from '../../../../src-preload/contract/operations/wall-calls.ts';

/** Named walls stored on the server. */
export const useWallsStore = defineStore('walls', () => {
  const list = shallowRef<readonly ListedWall[]>([]);
  const isAnswered = ref(false);

  function set(walls: readonly ListedWall[]): void {
    list.value = walls;
    isAnswered.value = true;
  }

  return { list, isAnswered, set };
});
