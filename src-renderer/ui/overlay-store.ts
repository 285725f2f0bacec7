import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, watch } from 'vue';

/** Dialogs and menus that are open. While there is one, the keys of the keyboard belong to it and not to the page behind. */
export const useOverlayStore = defineStore('overlays', () => {
  const count = ref(0);
  const isAnyOpen = computed(() => count.value > 0);

  /** Counts a dialog or menu for as long as it is open and its component lives. */
  function track(isOpen: () => boolean): void {
    let wasOpen = false;
    const note = (isNowOpen: boolean): void => {
      if (isNowOpen !== wasOpen) count.value += isNowOpen ? 1 : -1;
      wasOpen = isNowOpen;
    };
    watch(isOpen, note, { immediate: true, flush: 'sync' });
    onScopeDispose(() => note(false));
  }

  return { isAnyOpen, track };
});
