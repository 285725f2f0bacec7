import { useLocalStorage } from '@vueuse/core';
import { watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { filterQuery, readFilter } from './event-filter.ts';
import { useLogStore } from './store.ts';

/** Keeps the filter of the log in the URL, for links, and on this machine, for the next visit. */
export function useLogFilter(): void {
  const log = useLogStore();
  const route = useRoute();
  const router = useRouter();
  const saved = useLocalStorage<Record<string, string>>('airdesk.log.filter', {});
  log.setFilter(readFilter(Object.keys(route.query).length > 0 ? route.query : saved.value));
  watch(
    () => log.filter,
    (filter) => {
      saved.value = filterQuery(filter);
      void router.replace({ query: saved.value });
    },
    { immediate: true },
  );
}
