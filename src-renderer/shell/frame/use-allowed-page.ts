import { watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { useServerStore } from '../../server/server-store.ts';
import { MODULES, modulesFor } from '../desk-modules.ts';

/** Redirects a person from a page that the role or the limit to some streams forbids to the first allowed page. */
export function useAllowedPage(): void {
  const server = useServerStore();
  const route = useRoute();
  const router = useRouter();
  watch(
    () => [server.info?.role, route.name],
    ([role, name]) => {
      if (role === undefined || !MODULES.some((module) => module.name === name)) return;
      const allowed = modulesFor(server.info);
      const [first] = allowed;
      if (first && !allowed.some((module) => module.name === name)) void router.replace({ name: first.name });
    },
    { immediate: true },
  );
}
