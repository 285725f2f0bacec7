import { Menu, type MenuItemConstructorOptions, screen } from 'electron';
import type { DesktopTexts } from './desktop-texts.ts';
import type { LoginStart } from './login-start.ts';
import type { Bounds } from './window-state.ts';

/** Actions of the menu items that have no standard role. */
export interface MenuActions {
  readonly texts: DesktopTexts;
  /** Opens the desk in the browser of this machine. */
  openInBrowser(): void;
  openDataFolder(): void;
  /** Opens a wall in a new window, which fills a screen if one is given. */
  openWall(screen?: Bounds): void;
  /** Setting "start at login"; undefined if the application is not installed. */
  login: LoginStart | undefined;
  /** Reports an action that the system refused. */
  refused(title: string, error: unknown): void;
  isPackaged: boolean;
}

/** Sets the menu of the application, and updates it when screens change. */
export function installMenu(actions: MenuActions): void {
  setMenu(actions);
  for (const event of ['display-added', 'display-removed', 'display-metrics-changed'] as const)
    screen.on(event as 'display-added', () => {
      setMenu(actions);
    });
}

function setMenu(actions: MenuActions): void {
  const { texts } = actions;
  const file: MenuItemConstructorOptions = {
    label: texts.file,
    submenu: [
      { label: texts.openInBrowser, click: actions.openInBrowser },
      { label: texts.openDataFolder, click: actions.openDataFolder },
      ...loginItems(actions),
      { type: 'separator' },
      process.platform === 'darwin' ? { role: 'close', label: texts.close } : { role: 'quit', label: texts.quit },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: texts.view,
    submenu: [
      { role: 'reload', label: texts.reload },
      ...(actions.isPackaged ? [] : ([{ role: 'toggleDevTools' }] satisfies MenuItemConstructorOptions[])),
      { type: 'separator' },
      { role: 'resetZoom', label: texts.actualSize },
      { role: 'zoomIn', label: texts.zoomIn },
      { role: 'zoomOut', label: texts.zoomOut },
      { type: 'separator' },
      { role: 'togglefullscreen', label: texts.fullScreen },
    ],
  };
  const wall: MenuItemConstructorOptions = {
    label: texts.wall,
    submenu: [
      {
        label: texts.newWall,
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
    editMenu(texts),
    view,
    wall,
    windowMenu(texts),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

// Every item has a label of its own, because the default labels of roles are English on all systems.
function editMenu(texts: DesktopTexts): MenuItemConstructorOptions {
  return {
    role: 'editMenu',
    label: texts.edit,
    submenu: [
      { role: 'undo', label: texts.undo },
      { role: 'redo', label: texts.redo },
      { type: 'separator' },
      { role: 'cut', label: texts.cut },
      { role: 'copy', label: texts.copy },
      { role: 'paste', label: texts.paste },
      { role: 'selectAll', label: texts.selectAll },
    ],
  };
}

function windowMenu(texts: DesktopTexts): MenuItemConstructorOptions {
  return {
    role: 'windowMenu',
    label: texts.window,
    submenu: [
      { role: 'minimize', label: texts.minimize },
      { role: 'close', label: texts.close },
    ],
  };
}

/** One item per screen, which opens a wall that fills the screen. */
function screenItems({ texts, openWall }: MenuActions): MenuItemConstructorOptions[] {
  return screen.getAllDisplays().map(({ bounds }, index) => ({
    label: texts.fillScreen(index + 1, bounds.width, bounds.height),
    click: () => {
      openWall(bounds);
    },
  }));
}

function loginItems({ texts, login, refused }: MenuActions): MenuItemConstructorOptions[] {
  if (!login) return [];
  return [
    { type: 'separator' },
    {
      label: texts.startAtLogin,
      type: 'checkbox',
      checked: login.isOn(),
      click: (item) => {
        try {
          login.set(item.checked);
        } catch (error) {
          refused(texts.noStartAtLogin, error);
        }
        item.checked = login.isOn();
      },
    },
  ];
}
