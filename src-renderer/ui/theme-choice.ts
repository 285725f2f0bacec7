import { useLocalStorage, usePreferredDark } from '@vueuse/core';
import { computed, type ComputedRef, type Ref } from 'vue';

/** Colours that the operator wants: dark for a control room, light for daylight, or what the system has. */
export type ThemeChoice = 'dark' | 'light' | 'system';

/** The choice, kept in this browser or window, and whether the desk is light by it. Dark unless chosen otherwise. */
export function useThemeChoice(): { readonly choice: Ref<ThemeChoice>; readonly isLight: ComputedRef<boolean> } {
  const choice = useLocalStorage<ThemeChoice>('airdesk-theme', 'dark');
  const isSystemDark = usePreferredDark();
  const isLight = computed(() => choice.value === 'light' || (choice.value === 'system' && !isSystemDark.value));
  return { choice, isLight };
}
