import { useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { ref } from 'vue';

/** Dialog of the desk frame. */
export type ShellDialog = 'preferences' | 'first-steps' | 'notices' | 'keys' | 'own-password';

/** The open dialog of the desk frame, and whether the first steps were completed or dismissed once. */
export const useShellDialogs = defineStore('shell-dialogs', () => {
  const open = ref<ShellDialog | null>(null);
  const hasSeenFirstSteps = useLocalStorage('airdesk-first-steps-seen', false);

  function show(dialog: ShellDialog): void {
    open.value = dialog;
  }

  function close(): void {
    if (open.value === 'first-steps') hasSeenFirstSteps.value = true;
    open.value = null;
  }

  return { open, hasSeenFirstSteps, show, close };
});
