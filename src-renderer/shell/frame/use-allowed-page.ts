import { computed, onScopeDispose, watch, type ComputedRef } from 'vue';
import { useRoute, useRouter, type RouteRecordName } from 'vue-router';
import { useServerStore } from '../../server/server-store.ts';
import { MODULES, modulesFor } from '../desk-modules.ts';

/**
 * Leads a person from a page that the role or its streams do not allow to the first page that it allows. Such a page must not be
 * shown, so that it requests nothing.
 *
 * @returns whether the login page is shown instead of the desk; and whether the current page may be shown, which is also true
 * until the login is known
 */
export function useAllowedPage(): { readonly isLogin: ComputedRef<boolean>; readonly isAllowed: ComputedRef<boolean> } {
  const server = useServerStore();
  const route = useRoute();
  const router = useRouter();

  /** Page that replaces a page; undefined if the login may use the page. */
  function replacementOf(name: RouteRecordName | null | undefined): { readonly name: string } | undefined {
    if (server.info?.role === undefined || !MODULES.some((module) => module.name === name)) return undefined;
    const allowed = modulesFor(server.info);
    const [first] = allowed;
    return first && !allowed.some((module) => module.name === name) ? { name: first.name } : undefined;
  }
  onScopeDispose(router.beforeEach((to) => replacementOf(to.name)));
  watch(
    () => [server.info?.role, route.name] as const,
    ([, name]) => {
      const replacement = replacementOf(name);
      if (replacement) void router.replace(replacement);
    },
    { immediate: true },
  );
  return {
    isLogin: computed(() => server.link.mustLogIn || route.name === 'login'),
    isAllowed: computed(() => replacementOf(route.name) === undefined),
  };
}
