import type { Component } from 'vue';
import AlarmsPage from '../modules/alarms/AlarmsPage.vue';
import ArchivePage from '../modules/archive/page/ArchivePage.vue';
import BreaksPage from '../modules/breaks/BreaksPage.vue';
import ClipsPage from '../modules/clips/ClipsPage.vue';
import LogPage from '../modules/log/LogPage.vue';
import SessionsPage from '../modules/sessions/SessionsPage.vue';
import StreamsPage from '../modules/streams/StreamsPage.vue';
import SubscribersPage from '../modules/subscribers/SubscribersPage.vue';
import SystemPage from '../modules/system/SystemPage.vue';
import WallPage from '../modules/wall/page/WallPage.vue';
import WallToolbar from '../modules/wall/grid/WallToolbar.vue';
import type { ServerInfo } from '../../src-preload/contract/index.ts';
import type { Access, Domain } from '../../src-preload/contract/operations/roles.ts';
import PeoplePage from '../modules/people/PeoplePage.vue';
import { infoAllows } from '../server/server-store.ts';
import type { IconName } from '../ui/icon-shapes.ts';
import type { TEXTS } from './texts.ts';

/** Name of a module, and key of its title in the texts of the shell. */
type ModuleName = keyof typeof TEXTS.modules;

/** Module of the desk: an entry of the rail and its page. */
export interface DeskModule {
  /** Part of the address: the page is at `#/NAME`. */
  readonly name: ModuleName;
  readonly icon: IconName;
  /** Page, or the function that loads it on demand. */
  readonly page: Component | (() => Promise<Component>);
  /** Access that its page needs. Logins without it do not see the page in the rail. */
  readonly needs: readonly [domain: Domain, access: Access];
  /** Access that a person with a role needs for this page. Default: `needs`. */
  readonly needsOfRole?: readonly [domain: Domain, access: Access];
  /** Controls of the module in the top bar. */
  readonly tools?: Component;
}

/** Modules that a login may use. @param info null while it is unknown: all except those for administrators */
export function modulesFor(info: ServerInfo | null): readonly DeskModule[] {
  return MODULES.filter(({ name, needs, needsOfRole = needs }) => {
    const [domain, access] = info?.role === undefined ? needs : needsOfRole;
    return info === null ? name !== 'people' : infoAllows(info, domain, access);
  });
}

/** Modules in the order of the rail. The desk starts with the first one. */
export const MODULES: readonly [DeskModule, ...DeskModule[]] = [
  { name: 'wall', icon: 'wall', needs: ['walls', 'view'], page: WallPage, tools: WallToolbar },
  {
    name: 'streams',
    icon: 'streams',
    needs: ['streams', 'view'],
    needsOfRole: ['streams', 'operate'],
    page: StreamsPage,
  },
  { name: 'archive', icon: 'archive', needs: ['archive', 'view'], page: ArchivePage },
  { name: 'alarms', icon: 'alarms', needs: ['alarms', 'view'], page: AlarmsPage },
  { name: 'breaks', icon: 'breaks', needs: ['breaks', 'view'], page: BreaksPage },
  { name: 'clips', icon: 'clips', needs: ['clips', 'view'], page: ClipsPage },
  { name: 'sessions', icon: 'sessions', needs: ['viewers', 'view'], page: SessionsPage },
  { name: 'subscribers', icon: 'subscribers', needs: ['subscribers', 'edit'], page: SubscribersPage },
  {
    name: 'configuration',
    icon: 'configuration',
    needs: ['configuration', 'edit'],
    // The page is loaded on demand, because its editor is as large as the rest of the desk.
    page: () => import('../modules/configuration/ConfigurationPage.vue'),
  },
  { name: 'log', icon: 'log', needs: ['log', 'view'], page: LogPage },
  { name: 'system', icon: 'system', needs: ['system', 'view'], page: SystemPage },
  { name: 'people', icon: 'people', needs: ['people', 'edit'], page: PeoplePage },
];
