import { useDocumentVisibility, useEventListener, useIntervalFn } from '@vueuse/core';
import { computed } from 'vue';
import { useOverlayStore } from '../../../ui/overlay-store.ts';
import { useWallStore } from '../store.ts';

/** Interval at which the next page change is checked, in milliseconds. */
const CHECK_MS = 250;
/** Pause of the rotation after an action of the operator, in milliseconds. */
const PAUSE_MS = 15_000;

/** Rotates the pages of the wall. Pauses during solo, while a dialog is open, and after an action of the operator. */
export function useCarousel(): void {
  const wall = useWallStore();
  const overlays = useOverlayStore();
  const visibility = useDocumentVisibility();
  let turnedMs = performance.now();
  let touchedMs = -Infinity;
  const isRotating = computed(
    () => wall.carouselSeconds > 0 && wall.pages > 1 && wall.solo === null && !overlays.isAnyOpen,
  );
  for (const event of ['keydown', 'pointerdown', 'wheel'] as const)
    useEventListener(document, event, () => (touchedMs = performance.now()), { passive: true });
  useIntervalFn(() => {
    const nowMs = performance.now();
    if (!isRotating.value || visibility.value === 'hidden' || nowMs - touchedMs < PAUSE_MS) {
      turnedMs = nowMs;
      return;
    }
    if (nowMs - turnedMs < wall.carouselSeconds * 1000) return;
    turnedMs = nowMs;
    wall.setPage((wall.page + 1) % wall.pages);
  }, CHECK_MS);
}
