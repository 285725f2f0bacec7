import { posix, win32 } from 'node:path';

/**
 * Folder for configuration and database where none is named: the place that each system keeps for the data of
 * programs. The window and the headless server use the same one.
 */
export function dataFolder(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  switch (platform) {
    case 'win32':
      return win32.join(env['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), 'Airdesk', 'data');
    case 'darwin':
      return posix.join(home, 'Library', 'Application Support', 'Airdesk', 'data');
    default:
      return posix.join(env['XDG_DATA_HOME'] || posix.join(home, '.local', 'share'), 'airdesk');
  }
}
