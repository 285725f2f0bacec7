import { createRouter, type RouteRecordRaw, type Router, type RouterHistory } from 'vue-router';
import LoginPage from '../LoginPage.vue';
import { MODULES } from '../desk-modules.ts';

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
  return createRouter({
    history,
    routes: [
      ...pages,
      { name: 'login', path: '/login', component: LoginPage },
      { path: '/:unknown(.*)*', redirect: () => ({ name: MODULES[0].name, params: {}, query: {} }) },
    ],
  });
}
