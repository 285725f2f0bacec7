import { expect, it } from 'vitest';
import { systemStateSchema } from '../../../src-preload/contract/operations/system-calls.ts';
import { systemPort } from '../../../tests/helpers/system-port.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ArchiveFigures } from '../archive/archive-figures.ts';
import { systemState } from './system-state.ts';

it('systemState lists versions, load and system', async () => {
  const state = systemStateSchema.parse(
    await systemState(
      systemPort({
        alerts: () => ({ 'http 80': { fault: 'port_closed', facts: { place: 'http 80', explanation: 'taken' } } }),
      }),
    ),
  );
  expect(state).toMatchObject({
    versions: [
      { name: 'airdesk', version: '1.2.3' },
      { name: 'node', version: '24.0.0' },
      { name: 'v8', version: '13.6' },
    ],
    platform: 'linux x64',
    pid: 42,
    started_at: 1000,
    machine: { cores: 4, cpu_percent: 37, memory_bytes: 8_000_000_000, memory_percent: 50 },
    process: { memory_bytes: 200_000_000, threads: [{ index: 0, load_percent: 26, publishers: 2 }] },
    traffic: { streams: 3, online_streams: 2, viewers: 5, input_kbit: 4000 },
    limits: { http: { open: 10, limit: 2000 }, files: { open: 80, limit: 4096 } },
    alerts: [{ about: 'http 80', message: 'http 80 is not open: taken', fault: 'port_closed' }],
  });
});

it('systemState lists disks with free space, queue, and the reason why they cannot be written', async () => {
  const archive = new ArchiveFigures({
    clock: new FakeClock(),
    recordings: { disks: new Map(), counts: new Map() },
    usage: undefined,
    storages: () => [
      {
        name: 'main',
        maxUsedPercent: 90,
        disks: [{ path: 's3://b/c', folder: null, isWritten: true }],
      },
    ],
  });
  const { disks } = systemStateSchema.parse(await systemState(systemPort({ archive })));
  expect(disks).toEqual([
    {
      storage: 'main',
      folder: 's3://b/c',
      is_written: true,
      total_bytes: null,
      free_bytes: null,
      archive_bytes: 0,
      waiting_bytes: 0,
      written_bytes_per_second: 0,
      slowest_write_ms: 0,
      fault: {
        code: 'no_disk',
        message: 'The disk is not a folder of this machine',
        explanation: { code: 'disk_not_local', facts: {} },
      },
    },
  ]);
});

it('systemState omits open files if the system does not count them', async () => {
  const limits = systemPort().limits();
  const state = await systemState(systemPort({ limits: () => ({ ...limits, openFiles: undefined }) }));
  expect(state.limits.files).toBeNull();
});
