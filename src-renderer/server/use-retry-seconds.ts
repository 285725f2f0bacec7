import { computed } from 'vue';
import type { ComputedRef } from 'vue';
import { useServerStore } from './server-store.ts';
import { useNow } from './use-now.ts';

/** Seconds until the next connection attempt, at least 1; null during an attempt or if none is needed. */
export function useRetrySeconds(): ComputedRef<number | null> {
  const server = useServerStore();
  const { epochMs } = useNow();
  return computed(() => {
    const at = server.link.retryAtMs;
    return at === null ? null : Math.max(1, Math.ceil((at - epochMs.value) / 1000));
  });
}
