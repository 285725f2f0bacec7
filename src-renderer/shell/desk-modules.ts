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
  /** Whether only logins that may change the configuration can use its page; others do not see it in the rail. */
  readonly isForEditors?: true;
  /** Controls of the module in the top bar. */
  readonly tools?: Component;
}

/** Modules that a login may use. @param mayWrite whether it may change the configuration; null while unknown */
export function modulesFor(mayWrite: boolean | null): readonly DeskModule[] {
  return MODULES.filter(({ isForEditors }) => isForEditors !== true || mayWrite !== false);
}

/** Modules in the order of the rail. The desk starts with the first one. */
export const MODULES: readonly [DeskModule, ...DeskModule[]] = [
  { name: 'wall', icon: 'wall', page: WallPage, tools: WallToolbar },
  { name: 'streams', icon: 'streams', page: StreamsPage },
  { name: 'archive', icon: 'archive', page: ArchivePage },
  { name: 'alarms', icon: 'alarms', page: AlarmsPage },
  { name: 'breaks', icon: 'breaks', page: BreaksPage },
  { name: 'clips', icon: 'clips', page: ClipsPage },
  { name: 'sessions', icon: 'sessions', page: SessionsPage },
  { name: 'subscribers', icon: 'subscribers', page: SubscribersPage, isForEditors: true },
  {
    name: 'configuration',
    icon: 'configuration',
    isForEditors: true,
    // Its editor is as large as the rest of the desk.
    page: () => import('../modules/configuration/ConfigurationPage.vue'),
  },
  { name: 'log', icon: 'log', page: LogPage },
  { name: 'system', icon: 'system', page: SystemPage },
];
