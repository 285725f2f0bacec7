import { createRouter, type RouteRecordRaw, type Router, type RouterHistory } from 'vue-router';
import LoginPage from '../LoginPage.vue';
import { useToastStore } from '../../ui/toast-store.ts';
import { TEXTS } from '../texts.ts';
import { MODULES } from '../desk-modules.ts';

const NOT_LOADED_MS = 8_000;

/**
 * Gives every page an address, so that links, a second monitor, reloading and the back key work. Unknown addresses lead to the
 * first module.
 *
 * @param history keeps the address after `#` in a window, because the desk is served from one file
 */
export function createDeskRouter(history: RouterHistory): Router {
  const pages: RouteRecordRaw[] = MODULES.map(({ name, page, tools }) => ({
    name,
    path: `/${name}`,
    components: tools ? { default: page, tools } : { default: page },
  }));
  const router = createRouter({
    history,
    routes: [
      ...pages,
      { name: 'login', path: '/login', component: LoginPage },
      { path: '/:unknown(.*)*', redirect: () => ({ name: MODULES[0].name, params: {}, query: {} }) },
    ],
  });
  // Called if a page that is loaded on demand cannot be loaded from the server.
  router.onError(() => useToastStore().show({ kind: 'error', text: TEXTS.pageNotLoaded, durationMs: NOT_LOADED_MS }));
  return router;
}
