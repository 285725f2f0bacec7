import { beforeEach, describe, expect, it } from 'vitest';
import { StagedEngine } from '../../tests/helpers/staged-engine.ts';
import { configOf } from '../../tests/helpers/config-of.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { settled } from '../../tests/helpers/settled.ts';
import type { Log } from '../lib/log.ts';
import { parseProcStat, readMachineLoad, type MachineReading } from '../host/machine-load.ts';
import { ServerStats } from './server-stats.ts';
import { Streams } from './streams.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let clock: FakeClock;
let stage: StagedEngine;
let streams: Streams;
let machine: MachineReading;
let stats: ServerStats;

beforeEach(() => {
  clock = new FakeClock();
  stage = new StagedEngine();
  machine = { busyTicks: 0, totalTicks: 0, memory: 0.25 };
});

async function start(text: string): Promise<void> {
  const config = configOf(text);
  streams = new Streams(config, { clock, log: SILENT, engine: () => stage.engine });
  streams.start(config);
  await streams.applied;
  stats = new ServerStats({ clock, streams, machine: () => Promise.resolve(machine) });
  stats.start();
  await settled();
}

/** Simulates one second in which each stream receives and sends the given bytes. */
async function second(bytesIn: number, bytesOut: number): Promise<void> {
  clock.advance(500);
  for (const spec of stage.open.values()) {
    const entry = streams.get(spec.name);
    if (!entry) continue;
    entry.output.bytesOut += bytesOut;
    streams.reports.status([
      stage.status(spec, {
        bytesIn: (entry.status?.bytesIn ?? 0) + bytesIn,
        lastUnitMs: clock.now(),
        startedMs: clock.now(),
      }),
    ]);
  }
  clock.advance(500);
  await settled();
}

describe('ServerStats', () => {
  it('counts streams, viewers and bytes', async () => {
    await start('stream a { input fake://; } stream b { input fake://; } stream c { input publish://; }');
    for (let n = 0; n < 5; n++) await second(125_000, 250_000);
    const output = streams.outputs.get('a');
    if (output) output.viewerCount = 1;
    await second(125_000, 250_000);
    expect(stats.figures()).toMatchObject({
      totalStreams: 3,
      onlineStreams: 2,
      totalClients: 1,
      inputKbit: 2000,
      outputKbit: 4000,
      bytesIn: 1_500_000,
      bytesOut: 3_000_000,
      uptimeSeconds: 6,
    });
    const entry = streams.get('a');
    expect(entry && stats.rates(entry)).toEqual({ inputKbit: 1000, outputKbit: 2000 });
  });

  it('continues to count through a restart of a stream', async () => {
    await start('stream a { input fake://; }');
    await second(1000, 10);
    await streams.restart('a');
    await second(300, 10);
    expect(stats.figures()).toMatchObject({ bytesIn: 1300, bytesOut: 20 });
  });

  it('includes the CPU load of the machine since the last measurement', async () => {
    machine = { busyTicks: 50, totalTicks: 100, memory: 0.5 };
    await start('');
    expect(stats.figures()).toMatchObject({ cpuPercent: 50, memoryPercent: 50 });
    machine = { busyTicks: 60, totalTicks: 200, memory: 0.6 };
    await second(0, 0);
    expect(stats.figures()).toMatchObject({ cpuPercent: 10, memoryPercent: 60 });
  });

  it('lists the media threads in order', async () => {
    await start('');
    stats.thread({ index: 1, load: 0.5, publishers: 0, evictedInputs: 0, refusedConnections: 0 });
    stats.thread({ index: 0, load: 0.25, publishers: 2, evictedInputs: 0, refusedConnections: 0 });
    stats.thread({ index: 1, load: 0.75, publishers: 1, evictedInputs: 0, refusedConnections: 0 });
    expect(stats.figures().threads).toEqual([
      { index: 0, load: 0.25, publishers: 2, evictedInputs: 0, refusedConnections: 0 },
      { index: 1, load: 0.75, publishers: 1, evictedInputs: 0, refusedConnections: 0 },
    ]);
  });

  it('includes the CPU load of the server thread', async () => {
    await start('');
    const before = process.threadCpuUsage();
    let tookMs = 0;
    while (tookMs < 100) {
      const { user, system } = process.threadCpuUsage(before);
      tookMs = (user + system) / 1000;
    }
    await second(0, 0);
    expect(stats.serverThreadLoad).toBeGreaterThan(0.09);
    await second(0, 0);
    expect(stats.serverThreadLoad).toBeLessThan(0.09);
  });

  it('stops measuring when closed', async () => {
    await start('stream a { input fake://; }');
    stats.close();
    await second(1000, 1000);
    expect(stats.figures().bytesIn).toBe(0);
  });
});

describe('the load of the machine', () => {
  it('is parsed from /proc/stat', () => {
    expect(parseProcStat('cpu  10 20 30 400 40 5 6 7 8 9\ncpu0 1 2 3 4\n')).toEqual({ busyTicks: 78, totalTicks: 518 });
    expect(parseProcStat('')).toBeUndefined();
    expect(parseProcStat('cpu  x\n')).toBeUndefined();
  });

  it('is available on this machine', async () => {
    const { busyTicks, totalTicks, memory } = await readMachineLoad();
    expect(busyTicks).toBeGreaterThan(0);
    expect(totalTicks).toBeGreaterThan(busyTicks);
    expect(memory).toBeGreaterThan(0);
    expect(memory).toBeLessThan(1);
  });
});
