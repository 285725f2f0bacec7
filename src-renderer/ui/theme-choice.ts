import { useLocalStorage, usePreferredDark } from '@vueuse/core';
import { computed, type ComputedRef, type Ref } from 'vue';

/** Colour theme: dark for a control room, light for daylight, or as the system is set. */
export type ThemeChoice = 'dark' | 'light' | 'system';

/** Theme choice, stored in this browser or window, and whether it results in the light theme. Dark by default. */
export function useThemeChoice(): { readonly choice: Ref<ThemeChoice>; readonly isLight: ComputedRef<boolean> } {
  const choice = useLocalStorage<ThemeChoice>('airdesk-theme', 'dark');
  const isSystemDark = usePreferredDark();
  const isLight = computed(() => choice.value === 'light' || (choice.value === 'system' && !isSystemDark.value));
  return { choice, isLight };
}
