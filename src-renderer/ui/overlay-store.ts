import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef, watch } from 'vue';

/** Open dialogs and menus. While one is open, keys go to it and not to the page below. */
export const useOverlayStore = defineStore('overlays', () => {
  /** In the order of opening. */
  const open = shallowRef<readonly symbol[]>([]);
  const isAnyOpen = computed(() => open.value.length > 0);

  /** Counts a dialog or menu while it is open and its component is mounted. @returns whether none was opened after it */
  function track(isOpen: () => boolean): () => boolean {
    const id = Symbol('overlay');
    const update = (isNowOpen: boolean): void => {
      const rest = open.value.filter((one) => one !== id);
      open.value = isNowOpen ? [...rest, id] : rest;
    };
    watch(isOpen, update, { immediate: true, flush: 'sync' });
    onScopeDispose(() => update(false));
    return () => open.value.at(-1) === id;
  }

  return { isAnyOpen, track };
});
