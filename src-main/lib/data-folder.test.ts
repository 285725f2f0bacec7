import { describe, expect, it } from 'vitest';
import { dataFolder } from './data-folder.ts';

describe('dataFolder', () => {
  it.each([
    ['linux', {}, '/home/op', '/home/op/.local/share/airdesk'],
    ['linux', { XDG_DATA_HOME: '/srv/share' }, '/home/op', '/srv/share/airdesk'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/op', '/home/op/.local/share/airdesk'],
    ['darwin', {}, '/Users/op', '/Users/op/Library/Application Support/Airdesk/data'],
    ['win32', { APPDATA: 'C:\\R' }, 'C:\\Users\\op', 'C:\\R\\Airdesk\\data'],
    ['win32', {}, 'C:\\Users\\op', 'C:\\Users\\op\\AppData\\Roaming\\Airdesk\\data'],
  ] as const)('on %s with %o', (platform, env, home, expected) => {
    expect(dataFolder(platform, env, home)).toBe(expected);
  });
});
