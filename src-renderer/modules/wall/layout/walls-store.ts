import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import type { Wall } from '../../../../src-preload/contract/wall-calls.ts';

/** The walls with a name that the server keeps. */
export const useWallsStore = defineStore('walls', () => {
  const list = shallowRef<readonly Wall[]>([]);
  /** Whether the server was asked and answered. */
  const isAnswered = ref(false);

  function set(walls: readonly Wall[]): void {
    list.value = walls;
    isAnswered.value = true;
  }

  return { list, isAnswered, set };
});
