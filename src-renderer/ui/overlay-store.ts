import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef, watch } from 'vue';

/** Open dialogs and menus. While one is open, keys go to it and not to the page below. */
export const useOverlayStore = defineStore('overlays', () => {
  /** In the order of opening. */
  const open = shallowRef<readonly symbol[]>([]);
  const isAnyOpen = computed(() => open.value.length > 0);

  /** Counts a dialog or menu while it is open and its component is mounted. @returns whether none was opened after it */
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
