import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef, watch } from 'vue';

/** Dialogs and menus that are open. While there is one, the keys of the keyboard belong to it and not to the page behind. */
export const useOverlayStore = defineStore('overlays', () => {
  /** In the order in which they were opened. */
  const open = shallowRef<readonly symbol[]>([]);
  const isAnyOpen = computed(() => open.value.length > 0);

  /** Counts a dialog or menu for as long as it is open and its component lives. @returns whether no other one was opened since */
  function track(isOpen: () => boolean): () => boolean {
    const own = Symbol('overlay');
    const note = (isNowOpen: boolean): void => {
      const others = open.value.filter((one) => one !== own);
      open.value = isNowOpen ? [...others, own] : others;
    };
    watch(isOpen, note, { immediate: true, flush: 'sync' });
    onScopeDispose(() => note(false));
    return () => open.value.at(-1) === own;
  }

  return { isAnyOpen, track };
});
