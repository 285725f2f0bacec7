import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { LoudnessRow } from '../../../src-preload/contract/api/loudness-object.ts';
import { HOUR_MS, readBlocks, writeBlocks } from './loudness-file.ts';
import { LoudnessLog } from './loudness-log.ts';
import type { LoudnessBlock } from './loudness-tally.ts';

const DAY_MS = 24 * HOUR_MS;
const DAY = Date.UTC(2027, 0, 15);
const tone = (level: number, count: number): LoudnessBlock[] =>
  Array.from({ length: count }, () => ({ momentary: level, shortTerm: level, truePeak: level + 10 }));

let folder: string;
let clock: FakeClock;
let log: LoudnessLog;
let rows: LoudnessRow[];
let removedMs: number;
let errors: unknown[];

function openLog(): LoudnessLog {
  return new LoudnessLog({
    clock,
    folder: join(folder, 'loudness'),
    failed: (error) => errors.push(error),
    store: {
      write: (row) => rows.push(row),
      has: (name, span, from) => rows.some((row) => row.name === name && row.span === span && row.from_at === from),
      removeBefore: (ms) => {
        removedMs = ms;
        return 0;
      },
    },
  });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-loudness-'));
  clock = new FakeClock(DAY);
  rows = [];
  errors = [];
  log = openLog();
});
afterEach(async () => {
  await log.close();
  rmSync(folder, { recursive: true, force: true });
});

it('loudness blocks are read back unchanged, to one hundredth', () => {
  const level = fc.integer({ min: -32_767, max: 3000 }).map((hundredths) => hundredths / 100);
  const block = fc.record({ momentary: fc.option(level), shortTerm: fc.option(level), truePeak: level });
  fc.assert(
    fc.property(fc.array(block, { maxLength: 30 }), (blocks) => {
      const near = (value: number | null): number | null => (value === 0 ? 0.01 : value);
      const expected = blocks.map((one) => ({
        momentary: near(one.momentary),
        shortTerm: near(one.shortTerm),
        truePeak: near(one.truePeak),
      }));
      expect([...readBlocks(writeBlocks(blocks))]).toEqual(expected);
    }),
  );
  expect([...readBlocks(Buffer.alloc(13))]).toEqual([undefined, undefined]);
  expect(writeBlocks(tone(1e9, 1)).readInt16LE(0)).toBe(32_767);
});

describe('LoudnessLog', () => {
  it('stores each 100 ms at its time, across the end of an hour and with gaps', async () => {
    log.add('cam/1', DAY + HOUR_MS - 300, tone(-20, 5));
    log.add('cam/1', DAY + HOUR_MS + 1000, tone(-30, 1));
    const first = await log.hour('cam/1', DAY);
    expect([first.length, first[35_996], first[35_997]?.momentary]).toEqual([36_000, undefined, -20]);
    const second = await log.hour('cam/1', DAY + HOUR_MS);
    expect(second.map((block) => block?.momentary)).toEqual([-20, -20, ...Array<undefined>(8).fill(undefined), -30]);
    expect(await log.hour('other', DAY)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('returns the lowest and highest value for parts of an hour, null without measurements', async () => {
    log.add('cam', DAY, [...tone(-23, 300), ...tone(-40, 300)]);
    log.add('cam', DAY + 90_000, tone(-12.5, 1));
    const curve = await log.curve('cam', DAY, 60);
    expect([curve.length, curve.slice(0, 3)]).toEqual([60, [[-40, -23], [-12.5, -12.5], null]]);
    expect(await log.curve('other', DAY, 2)).toEqual([null, null]);
    expect(errors).toEqual([]);
  });

  it('calculates the figures of an hour and of a day after they end, also after a restart', async () => {
    log.add('cam', DAY, tone(-23, 600));
    log.add('cam', DAY + 23 * HOUR_MS, tone(-20, 600));
    clock.advance(DAY_MS - 1);
    await log.write();
    await log.maintain();
    expect(rows.map(({ span, from_at: at }) => [span, at - DAY])).toEqual([['hour', 0]]);
    await log.close();
    log = openLog();
    clock.advance(120_000);
    await log.maintain();
    await log.maintain();
    expect(rows.map(({ span, from_at: at }) => [span, (at - DAY) / HOUR_MS])).toEqual([
      ['hour', 0],
      ['hour', 23],
      ['day', 0],
    ]);
    expect(rows[0]).toMatchObject({ name: 'cam', integrated: -23, true_peak: -13, measured_ms: 60_000 });
    expect(rows[2]).toMatchObject({ integrated: -21.2, true_peak: -10, measured_ms: 120_000 });
    expect((await log.figures('cam', 'day', DAY)).integrated).toBe(-21.2);
  });

  it('removes files after a day, and figures after 90 days', async () => {
    log.add('cam', DAY, tone(-23, 1));
    await log.write();
    clock.advance(25 * HOUR_MS);
    await log.maintain();
    expect(await log.hour('cam', DAY)).toHaveLength(1);
    clock.advance(3 * HOUR_MS);
    await log.maintain();
    expect(readdirSync(join(folder, 'loudness'))).toEqual([]);
    expect(removedMs).toBe(clock.now() - 90 * DAY_MS);
    expect(rows.map(({ span }) => span)).toEqual(['hour', 'day']);
  });

  it('holds at most ten minutes of a stream while files cannot be written', async () => {
    rmSync(folder, { recursive: true });
    for (let minute = 0; minute < 1000; minute++) log.add('cam', DAY + minute * 60_000, tone(-23, 600));
    await log.write();
    const kept: number[] = [];
    for (let hour = 0; hour < 17; hour++)
      kept.push((await log.hour('cam', DAY + hour * HOUR_MS)).filter((block) => block).length);
    expect(kept.reduce((sum, count) => sum + count, 0)).toBe(6000);
  });
});
