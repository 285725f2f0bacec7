import { useIntervalFn } from '@vueuse/core';
import { watch } from 'vue';
import { useServerStore } from './server-store.ts';

/**
 * Asks the server for as long as the component lives: as soon as it answers, at once when it is back, and between so often.
 *
 * @param everyMs how often while it answers, in milliseconds; without it only when it begins to
 */
export function useWhileLive(ask: () => void, everyMs?: number): void {
  const server = useServerStore();
  const isLive = (): boolean => server.link.phase === 'live';
  watch(isLive, (now) => now && ask(), { immediate: true });
  if (everyMs !== undefined) useIntervalFn(() => isLive() && ask(), everyMs);
}
