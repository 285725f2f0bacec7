import { computed } from 'vue';
import type { ComputedRef } from 'vue';
import { useServerStore } from './server-store.ts';
import { useNow } from './use-now.ts';

/** Seconds until the desk tries to connect again, at least 1; null while an attempt is under way or none is needed. */
export function useRetrySeconds(): ComputedRef<number | null> {
  const server = useServerStore();
  const { epochMs } = useNow();
  return computed(() => {
    const at = server.link.retryAtMs;
    return at === null ? null : Math.max(1, Math.ceil((at - epochMs.value) / 1000));
  });
}
