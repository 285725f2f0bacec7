import { Menu, type MenuItemConstructorOptions } from 'electron';

/** What the menu can do beside the standard roles. */
export interface MenuActions {
  /** Opens the desk in the browser of this machine. */
  openInBrowser(): void;
  openDataFolder(): void;
  isPackaged: boolean;
}

/** Sets the menu of the application. */
export function setMenu(actions: MenuActions): void {
  const file: MenuItemConstructorOptions = {
    label: 'File',
    submenu: [
      { label: 'Open in Browser', click: actions.openInBrowser },
      { label: 'Open Data Folder', click: actions.openDataFolder },
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
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? ([{ role: 'appMenu' }] satisfies MenuItemConstructorOptions[]) : []),
    file,
    { role: 'editMenu' },
    view,
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
