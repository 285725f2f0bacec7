import { useDocumentVisibility, useEventListener, useIntervalFn } from '@vueuse/core';
import { computed } from 'vue';
import { useOverlayStore } from '../../../ui/overlay-store.ts';
import { useWallStore } from '../store.ts';

/** How often it is looked whether the next page is due, in milliseconds. */
const LOOK_MS = 250;
/** Pages rest for so long after the operator did something, in milliseconds. */
const REST_MS = 15_000;

/** Turns the pages of the wall by themselves, as often as is chosen. They rest while a tile stands alone, while a dialog is open, and while the operator does something. */
export function useCarousel(): void {
  const wall = useWallStore();
  const overlays = useOverlayStore();
  const visibility = useDocumentVisibility();
  let turnedMs = performance.now();
  let touchedMs = -Infinity;
  const isTurning = computed(
    () => wall.carouselSeconds > 0 && wall.pages > 1 && wall.solo === null && !overlays.isAnyOpen,
  );
  for (const event of ['keydown', 'pointerdown', 'wheel'] as const)
    useEventListener(document, event, () => (touchedMs = performance.now()), { passive: true });
  useIntervalFn(() => {
    const nowMs = performance.now();
    if (!isTurning.value || visibility.value === 'hidden' || nowMs - touchedMs < REST_MS) {
      turnedMs = nowMs;
      return;
    }
    if (nowMs - turnedMs < wall.carouselSeconds * 1000) return;
    turnedMs = nowMs;
    wall.setPage((wall.page + 1) % wall.pages);
  }, LOOK_MS);
}
