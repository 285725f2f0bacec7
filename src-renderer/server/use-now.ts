import { createSharedComposable, useIntervalFn } from '@vueuse/core';
import { readonly, ref } from 'vue';
import type { Ref } from 'vue';

/**
 * Time, updated twice a second by one timer for the whole desk: epoch milliseconds, and the clock of the page. It is meant for
 * slow changes; meters use the frame ticker.
 */
export const useNow = createSharedComposable((): { epochMs: Readonly<Ref<number>>; pageMs: Readonly<Ref<number>> } => {
  const epochMs = ref(Date.now());
  const pageMs = ref(performance.now());
  useIntervalFn(() => {
    epochMs.value = Date.now();
    pageMs.value = performance.now();
  }, 500);
  return { epochMs: readonly(epochMs), pageMs: readonly(pageMs) };
});
