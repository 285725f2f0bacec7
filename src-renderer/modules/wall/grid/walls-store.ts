import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import type { Wall } from '../../../../src-preload/contract/operations/wall-calls.ts';

/** Named walls stored on the server. */
export const useWallsStore = defineStore('walls', () => {
  const list = shallowRef<readonly Wall[]>([]);
  const isAnswered = ref(false);

  function set(walls: readonly Wall[]): void {
    list.value = walls;
    isAnswered.value = true;
  }

  return { list, isAnswered, set };
});
