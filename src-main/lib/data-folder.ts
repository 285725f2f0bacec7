import { posix, win32 } from 'node:path';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import type { Log } from './log.ts';

/**
 * Default folder for configuration and database: the usual place for program data on each system. The window and the
 * headless server use the same folder.
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
 * Creates a folder that only its owner can access. If the folder exists, restricts its permissions, but only if it belongs
 * to this user and is empty or contains one of `files`: a folder such as /tmp that was configured by mistake is not changed.
 * Logs a warning if other users can still access it.
 * @param files names of files that identify a folder of this program
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

/** Warning about a file with secrets that all users can read; null if they cannot, or if there is no file. */
export async function worldReadable(path: string): Promise<string | null> {
  const found = process.platform === 'win32' ? undefined : await stat(path).catch(() => undefined);
  if (!found || (found.mode & 0o004) === 0) return null;
  return `Every user of this machine may read ${path}, and there may be passwords in it: chmod o-rwx ${path}`;
}
