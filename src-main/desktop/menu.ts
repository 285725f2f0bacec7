import { Menu, type MenuItemConstructorOptions, screen } from 'electron';
import type { LoginStart } from './login-start.ts';
import type { Bounds } from './window-state.ts';

/** What the menu can do beside the standard roles. */
export interface MenuActions {
  /** Opens the desk in the browser of this machine. */
  openInBrowser(): void;
  openDataFolder(): void;
  /** Opens a wall in a window of its own, which fills a screen where one is named. */
  openWall(screen?: Bounds): void;
  /** Start at login; undefined where the application is not installed. */
  login: LoginStart | undefined;
  /** Says that the system refused something. */
  refused(what: string, error: unknown): void;
  isPackaged: boolean;
}

/** Sets the menu, and again when screens come and go. */
export function keepMenu(actions: MenuActions): void {
  setMenu(actions);
  for (const event of ['display-added', 'display-removed', 'display-metrics-changed'] as const)
    screen.on(event as 'display-added', () => {
      setMenu(actions);
    });
}

function setMenu(actions: MenuActions): void {
  const file: MenuItemConstructorOptions = {
    label: 'File',
    submenu: [
      { label: 'Open in Browser', click: actions.openInBrowser },
      { label: 'Open Data Folder', click: actions.openDataFolder },
      ...loginItems(actions),
      { type: 'separator' },
      { role: process.platform === 'darwin' ? 'close' : 'quit' },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      { role: 'reload' },
      ...(actions.isPackaged ? [] : ([{ role: 'toggleDevTools' }] satisfies MenuItemConstructorOptions[])),
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
  const wall: MenuItemConstructorOptions = {
    label: 'Wall',
    submenu: [
      {
        label: 'New Wall Window',
        accelerator: 'CmdOrCtrl+Shift+N',
        click: () => {
          actions.openWall();
        },
      },
      { type: 'separator' },
      ...screenItems(actions),
    ],
  };
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? ([{ role: 'appMenu' }] satisfies MenuItemConstructorOptions[]) : []),
    file,
    { role: 'editMenu' },
    view,
    wall,
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** One item a screen: the wall fills it. */
function screenItems({ openWall }: MenuActions): MenuItemConstructorOptions[] {
  return screen.getAllDisplays().map(({ bounds }, index) => ({
    label: `Fill Screen ${index + 1} (${bounds.width} × ${bounds.height})`,
    click: () => {
      openWall(bounds);
    },
  }));
}

function loginItems({ login, refused }: MenuActions): MenuItemConstructorOptions[] {
  if (!login) return [];
  return [
    { type: 'separator' },
    {
      label: 'Start at Login',
      type: 'checkbox',
      checked: login.isOn(),
      click: (item) => {
        try {
          login.set(item.checked);
        } catch (error) {
          refused('Airdesk cannot be started at login', error);
        }
        item.checked = login.isOn();
      },
    },
  ];
}
