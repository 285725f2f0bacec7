import { posix, win32 } from 'node:path';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import type { Log } from './log.ts';

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

/** Permissions of group and others. */
const OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Makes a folder that only its owner may enter. One that is there and open to others is closed to them, if it belongs to this user and is
 * empty or holds one of the files: a folder like /tmp that was named by mistake stays as it is. What cannot be mended is in the log.
 *
 * @param files names by which the folder is known as ours
 */
export async function openPrivateFolder(path: string, files: readonly string[], log: Log): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const { mode, uid } = await stat(path);
  if ((mode & OTHERS) === 0) return;
  const found = await readdir(path);
  const isOurs = uid === process.getuid?.() && (mode & STICKY) === 0;
  const rights = (mode & 0o777).toString(8);
  if (isOurs && (found.length === 0 || found.some((name) => files.includes(name)))) {
    await chmod(path, 0o700);
    log.info('the data folder was accessible to other users; access is now restricted to its owner', {
      folder: path,
      was: rights,
    });
    return;
  }
  log.warn('the data folder is accessible to other users, and contains secrets', { folder: path, mode: rights });
}

/** What is wrong with the rights of a file with secrets; null where nothing is, or there is no file. */
export async function worldReadable(path: string): Promise<string | null> {
  const found = process.platform === 'win32' ? undefined : await stat(path).catch(() => undefined);
  if (!found || (found.mode & 0o004) === 0) return null;
  return `Every user of this machine may read ${path}, and there may be passwords in it: chmod o-rwx ${path}`;
}
