import { useIntervalFn, watchDebounced } from '@vueuse/core';
import { watch } from 'vue';
import { useRoute, useRouter, type LocationQuery } from 'vue-router';
import { archiveQuery } from '../../../domain/archive/archive-query.ts';
import type { ArchiveContext } from '../play/archive-context.ts';
import { useArchiveStore } from '../store.ts';
import { frameRateOf, readTime } from '../time-code.ts';

/** Interval at which the moment is written into the URL, in milliseconds. */
const WRITE_MS = 1000;

/** Reads streams and moment from a query. */
function read(
  query: LocationQuery,
  nowMs: number,
): { readonly names: readonly string[]; readonly at: number | undefined } {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const at = readTime(text(query['at']), nowMs, frameRateOf(undefined), 'utc');
  return {
    names: text(query['stream'])
      .split(',')
      .filter((name) => name !== ''),
    at,
  };
}

/** Keeps streams and moment in the URL, and follows changes of the URL. @returns moment in the URL; undefined without one */
export function useArchiveAddress(context: ArchiveContext): () => number | undefined {
  const archive = useArchiveStore();
  const route = useRoute();
  const router = useRouter();
  let requestedMs: number | undefined;
  let written = '';

  watch(
    () => route.query,
    (query) => {
      if (route.name !== 'archive' || JSON.stringify(query) === written) return;
      const { names, at } = read(query, context.now());
      if (names.length > 0) archive.setNames(names);
      requestedMs = at;
      if (at !== undefined && context.group.members.length > 0) context.seek(at);
    },
    { immediate: true },
  );
  function write(): void {
    if (route.name !== 'archive' || archive.names.length === 0) return;
    const at =
      context.group.leader?.player.isLive === true && context.group.speed === 1
        ? null
        : (context.group.atMs ?? requestedMs ?? null);
    const query = archiveQuery(archive.names, at === null ? null : Math.round(at));
    const text = JSON.stringify(query);
    if (text === written) return;
    written = text;
    void router.replace({ query });
  }
  useIntervalFn(write, WRITE_MS);
  watchDebounced(() => archive.names.join(), write, { debounce: 50 });
  return () => requestedMs;
}
