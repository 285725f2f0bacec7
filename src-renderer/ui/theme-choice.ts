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

/** Font size of the desk in a small window, in pixels; theme.css enlarges it with the window. */
const BASE_PX = 14;

/** Scale of the desk in this window: 1 in a small one, about 1.8 at 3840 pixels. Canvases have no `rem`, so they multiply by it. */
export function rootScale(): number {
  const px = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return px > BASE_PX ? px / BASE_PX : 1;
}
