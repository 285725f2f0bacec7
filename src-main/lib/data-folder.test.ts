import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from './log.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFolder, openPrivateFolder, worldReadable } from './data-folder.ts';

describe('dataFolder', () => {
  it.each([
    ['linux', {}, '/home/op', '/home/op/.local/share/airdesk'],
    ['linux', { XDG_DATA_HOME: '/srv/share' }, '/home/op', '/srv/share/airdesk'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/op', '/home/op/.local/share/airdesk'],
    ['darwin', {}, '/Users/op', '/Users/op/Library/Application Support/Airdesk/data'],
    ['win32', { APPDATA: 'C:\\R' }, 'C:\\Users\\op', 'C:\\R\\Airdesk\\data'],
    ['win32', {}, 'C:\\Users\\op', 'C:\\Users\\op\\AppData\\Roaming\\Airdesk\\data'],
  ] as const)('returns for the platform %s with %o the expected folder', (platform, env, home, expected) => {
    expect(dataFolder(platform, env, home)).toBe(expected);
  });
});

let root: string;
let lines: string[];
const log = {
  ...silentLog,
  info: (message: string) => lines.push(`info ${message}`),
  warn: (message: string) => lines.push(`warn ${message}`),
};
const modeOf = (path: string): number => statSync(path).mode & 0o777;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airdesk-private-'));
  lines = [];
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('openPrivateFolder', () => {
  it('creates a folder for its owner only', async () => {
    await openPrivateFolder(join(root, 'a/b'), [], log);
    expect([modeOf(join(root, 'a/b')), lines]).toEqual([0o700, []]);
  });

  it.each([
    ['is empty', undefined, 0o755, 0o700, 'info'],
    ['holds files of Airdesk', 'airdesk.db', 0o750, 0o700, 'info'],
    ['holds something else', 'letters', 0o755, 0o755, 'warn'],
    ['is writable by everyone, like /tmp', undefined, 0o1777, 0o777, 'warn'],
  ])('sets or reports the permissions of a folder that %s', async (_what, file, mode, expectedMode, level) => {
    const folder = join(root, 'data');
    mkdirSync(folder);
    if (file !== undefined) writeFileSync(join(folder, file), '');
    chmodSync(folder, mode);
    await openPrivateFolder(folder, ['airdesk.db'], log);
    expect(modeOf(folder)).toBe(expectedMode);
    expect(lines.map((line) => line.split(' ')[0])).toEqual([level]);
  });
});

describe('worldReadable', () => {
  it('reports only files that every user may read', async () => {
    const path = join(root, 'airdesk.conf');
    expect(await worldReadable(path)).toBeNull();
    writeFileSync(path, '', { mode: 0o640 });
    expect(await worldReadable(path)).toBeNull();
    chmodSync(path, 0o644);
    expect(await worldReadable(path)).toContain(`chmod o-rwx ${path}`);
  });
});
