import { useIntervalFn } from '@vueuse/core';
import { watch } from 'vue';
import { useServerStore } from './server-store.ts';

/**
 * Calls `load` while the component is mounted and the server answers: at once, again after each reconnection, and every `everyMs`.
 *
 * @param everyMs interval in milliseconds; without it only after each connection
 */
export function useWhileLive(load: () => void, everyMs?: number): void {
  const server = useServerStore();
  const isLive = (): boolean => server.link.phase === 'live';
  watch(isLive, (now) => now && load(), { immediate: true });
  if (everyMs !== undefined) useIntervalFn(() => isLive() && load(), everyMs);
}
