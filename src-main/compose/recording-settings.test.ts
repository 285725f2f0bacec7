import { describe, expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import { copiedStorages, retainedStorages, recordingSettings, storageDisks } from './recording-settings.ts';

const STORAGES = `
  dvr main { root /mnt/archive; disk a; disk b keep; disk c normal; disk_usage_limit 80%; }
  dvr one { root below; expiration 1d; }
  dvr off { root /mnt; dvr_offline; }
  dvr work { root /mnt; disk a; active 1; check_mount; schedule 0830-1800 2200-0100; }
  dvr empty { }
  dvr cloud { root s3://bucket; }`;

function settingsOf(directives: string, isSwitched?: boolean): ReturnType<typeof recordingSettings> {
  const config = configOf(`${STORAGES}\nstream cam { input fake://; ${directives} }`);
  const stream = config.streams.get('cam');
  if (!stream) throw new Error('no stream');
  return recordingSettings(config, stream, '/data', isSwitched);
}

describe('recordingSettings', () => {
  it.each([
    ['', undefined],
    ['dvr /mnt/own; disabled;', { storage: null, disks: ['/mnt/own'], isOff: true }],
    ['dvr @off;', { storage: 'off', disks: ['/mnt'], isOff: true }],
    ['dvr_offline @one;', { storage: 'one', disks: ['/data/below'], expirationMs: 86_400_000, isOff: true }],
    ['dvr /mnt/own; dvr_offline @one;', { storage: null, disks: ['/mnt/own'] }],
    [
      'dvr @work;',
      {
        storage: 'work',
        disks: ['/mnt/a'],
        maxActive: 1,
        mustBeMounted: true,
        schedule: [
          [510, 1080],
          [1320, 60],
        ],
      },
    ],
    ['dvr /mnt/own 7d 90%;', { storage: null, disks: ['/mnt/own'], maxUsedPercent: 90, expirationMs: 604_800_000 }],
    ['dvr archive 2G;', { storage: null, disks: ['/data/archive'], limitBytes: 2_000_000_000 }],
    ['dvr archive;', { storage: null, disks: ['/data/archive'] }],
    ['dvr s3://bucket/a;', { storage: null, disks: [] }],
    ['dvr @main;', { storage: 'main', disks: ['/mnt/archive/a', '/mnt/archive/c'], maxUsedPercent: 80 }],
    ['dvr @main 50%;', { storage: 'main', disks: ['/mnt/archive/a', '/mnt/archive/c'], maxUsedPercent: 50 }],
    ['dvr @one;', { storage: 'one', disks: ['/data/below'], expirationMs: 86_400_000 }],
    ['dvr @one 2h;', { storage: 'one', disks: ['/data/below'], expirationMs: 7_200_000 }],
    ['dvr @empty;', { storage: 'empty', disks: [] }],
    ['dvr @cloud;', { storage: 'cloud', disks: [] }],
    ['dvr @unknown;', { storage: 'unknown', disks: [] }],
  ])('parses %j', (directives, expected) => {
    expect(settingsOf(directives)).toEqual(expected);
  });

  it.each([
    ['dvr_offline /mnt;', true, { storage: null, disks: ['/mnt'] }],
    ['dvr @off;', true, { storage: 'off', disks: ['/mnt'] }],
    ['dvr /mnt;', false, { storage: null, disks: ['/mnt'], isOff: true }],
    ['dvr /mnt; disabled;', true, { storage: null, disks: ['/mnt'], isOff: true }],
    ['', true, undefined],
  ])('of %s switched to %s are as expected', (directives, isSwitched, expected) => {
    expect(settingsOf(directives, isSwitched)).toEqual(expected);
  });
});

it('copiedStorages contains the mode of each disk, and no abandoned disks', () => {
  const config = configOf(`${STORAGES}\ndvr safe { root /mnt; raid 1; disk a; disk b migrate; disk c abandon; }`);
  const copied = copiedStorages(config, '/data');
  expect(copied.find(({ name }) => name === 'safe')).toEqual({
    name: 'safe',
    copies: 1,
    disks: [
      { folder: '/mnt/a', mode: 'normal' },
      { folder: '/mnt/b', mode: 'migrate' },
      { folder: '/mnt/c', mode: 'abandon' },
    ],
  });
  expect(copied.find(({ name }) => name === 'one')?.disks).toEqual([{ folder: '/data/below', mode: 'normal' }]);
  expect(copied.find(({ name }) => name === 'cloud')?.disks).toEqual([]);
  expect(storageDisks(config, '/data')).not.toContain('/mnt/c');
});

it('retainedStorages contains the limits of storages', () => {
  const config = configOf(
    `${STORAGES}\ndvr big { root /mnt/big; storage_limit 1G; expiration 2h; disk_usage_limit 70%; }`,
  );
  const retained = retainedStorages(config, '/data');
  expect(retained.find(({ name }) => name === 'big')).toEqual({
    name: 'big',
    disks: ['/mnt/big'],
    limitBytes: 1_000_000_000,
    expirationMs: 7_200_000,
    maxUsedPercent: 70,
  });
  expect(retained.find(({ name }) => name === 'cloud')).toEqual({ name: 'cloud', disks: [] });
});
