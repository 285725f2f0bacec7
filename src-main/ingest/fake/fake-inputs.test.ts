import { beforeEach, expect, test } from 'vitest';
import { testLoop } from '../../../tests/helpers/test-media.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { AccessUnit, SpliceMessage } from '../../media/access-unit.ts';
import type { Track } from '../../media/track.ts';
import type { InputEnd, InputSink } from '../input.ts';
import { FakeInputs } from './fake-inputs.ts';
import { type FakeOptions, parseFakeOptions } from './fake-options.ts';
import { PACE_MS } from './play-timer.ts';
import type { TestPictureSource } from './test-picture-source.ts';

const loop = testLoop();
const PICTURE_TICKS = 3600;

/** Records all calls. */
class Recorder implements InputSink {
  readonly units: AccessUnit[] = [];
  readonly ends: InputEnd[] = [];
  readonly splices: SpliceMessage[] = [];
  trackSets: (readonly Track[])[] = [];
  bytes = 0;
  tracks(tracks: readonly Track[]): void {
    this.trackSets.push(tracks);
  }
  accessUnit(unit: AccessUnit): void {
    this.units.push(unit);
  }
  splice(message: SpliceMessage): void {
    this.splices.push(message);
  }
  problem(): void {}
  received(bytes: number): void {
    this.bytes += bytes;
  }
  ended(end: InputEnd): void {
    this.ends.push(end);
  }
  get pictures(): AccessUnit[] {
    return this.units.filter(({ trackId }) => trackId === 'v1');
  }
}

/** Clock that counts pending timers. */
class CountingClock extends FakeClock {
  waiting = 0;
  override after(delayMs: number, callback: () => void): () => void {
    this.waiting++;
    let isOver = false;
    const over = (): void => {
      if (!isOver) this.waiting--;
      isOver = true;
    };
    const cancel = super.after(delayMs, () => {
      over();
      callback();
    });
    return () => {
      over();
      cancel();
    };
  }
}

function optionsOf(query: Record<string, string> = {}): FakeOptions {
  const options = parseFakeOptions(new Map(Object.entries(query)));
  if ('code' in options) throw new Error(options.detail);
  return options;
}

let clock: CountingClock;
let loads = 0;
const source: TestPictureSource = {
  load: () => {
    loads++;
    return Promise.resolve(loop);
  },
};

async function started(
  inputs: FakeInputs,
  options = optionsOf(),
): Promise<{ sink: Recorder; close: () => Promise<void> }> {
  const sink = new Recorder();
  const input = inputs.open(options, sink);
  input.start();
  await settle();
  return { sink, close: () => input.close() };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

beforeEach(() => {
  clock = new CountingClock();
  loads = 0;
});

test('a fake input plays endlessly in real time, without a gap at the end of the loop', async () => {
  const { sink, close } = await started(new FakeInputs({ clock, source }));
  expect(sink.trackSets).toHaveLength(1);
  clock.advance(60_000);
  expect(sink.pictures.map(({ dtsTicks }) => dtsTicks)).toEqual(
    Array.from({ length: 60 * 25 + 1 }, (_, i) => i * PICTURE_TICKS),
  );
  const frames = sink.units.filter(({ trackId }) => trackId === 'a1').map(({ dtsTicks }) => dtsTicks);
  expect(frames).toEqual(Array.from({ length: frames.length }, (_, i) => i * 1920));
  expect(sink.bytes).toBe(sink.units.reduce((sum, { data }) => sum + data.length, 0));
  await close();
});

test('a fake input emits no access unit early, and none later than one pacing interval', async () => {
  const { sink } = await started(new FakeInputs({ clock, source }));
  for (let ms = 1; ms <= 2000; ms++) {
    const before = sink.units.length;
    clock.advance(1);
    for (const unit of sink.units.slice(before)) {
      expect(unit.dtsTicks / 90).toBeLessThanOrEqual(ms);
      expect(unit.dtsTicks / 90).toBeGreaterThan(ms - PACE_MS - 1);
    }
  }
  expect(sink.pictures).toHaveLength(51);
});

test('a fake input starts on a full second with the key frame of that second', async () => {
  clock.advance(7300);
  const { sink } = await started(new FakeInputs({ clock, source }));
  expect(sink.units).toHaveLength(0);
  clock.advance(700 + PACE_MS);
  const [first] = sink.units;
  // FakeClock starts at 1 800 000 000 s, a multiple of 16.
  expect(first).toMatchObject({ trackId: 'v1', isRandomAccess: true, dtsTicks: 8 * 90_000 });
});

test('fake inputs with the same options share one loop, and all fake inputs share one timer', async () => {
  const inputs = new FakeInputs({ clock, source });
  const running = await Promise.all([started(inputs), started(inputs), started(inputs, optionsOf({ width: '640' }))]);
  expect(loads).toBe(2);
  expect(clock.waiting).toBe(1);
  clock.advance(1000);
  const [a, b] = running.map(({ sink }) => sink.units);
  expect(a?.[5]?.data).toBe(b?.[5]?.data);
  await running[0]?.close();
  clock.advance(1000);
  expect(running[0]?.sink.pictures).toHaveLength(26);
  expect(running[1]?.sink.pictures).toHaveLength(51);
  await Promise.all(running.map(({ close }) => close()));
  expect(clock.waiting).toBe(0);
  await started(inputs);
  expect(loads).toBe(3);
});

test('a fake input sends a splice point at the configured interval', async () => {
  const { sink } = await started(new FakeInputs({ clock, source }), optionsOf({ splice: '10' }));
  clock.advance(35_000);
  expect(sink.splices.map(({ atTicks }) => Math.floor(atTicks / 90_000))).toEqual([6, 16, 26]);
  expect((await started(new FakeInputs({ clock, source }))).sink.splices).toEqual([]);
});

test('a fake input reports why it has no test picture', async () => {
  const failing: TestPictureSource = {
    load: () => Promise.reject(Object.assign(new Error('it broke'), { code: 'codec_process_failed' })),
  };
  const { sink } = await started(new FakeInputs({ clock, source: failing }));
  expect(sink.ends).toEqual([{ code: 'codec_process_failed', detail: 'it broke' }]);
  const damaged: TestPictureSource = { load: () => Promise.resolve({ ...loop, units: loop.units + 1 }) };
  const second = await started(new FakeInputs({ clock, source: damaged }));
  expect(second.sink.ends).toMatchObject([{ code: 'input_unreadable' }]);
  expect(clock.waiting).toBe(0);
});

test('a fake input emits nothing after close, even if the test picture arrives later', async () => {
  const inputs = new FakeInputs({ clock, source });
  const sink = new Recorder();
  const input = inputs.open(optionsOf(), sink);
  input.start();
  await input.close();
  await settle();
  clock.advance(5000);
  expect(sink.trackSets).toEqual([]);
  expect(sink.units).toEqual([]);
});

test('a fake input continues with the current key frame after a sleep of the machine', async () => {
  const now = { skewMs: 0 };
  const jumpy = {
    now: () => clock.now() + now.skewMs,
    after: (ms: number, callback: () => void) => clock.after(ms, callback),
  };
  const { sink } = await started(new FakeInputs({ clock: jumpy, source }));
  clock.advance(1000);
  now.skewMs = 3_600_000;
  const before = sink.units.length;
  clock.advance(1000);
  const after = sink.units.slice(before);
  expect(after[0]).toMatchObject({ trackId: 'v1', isRandomAccess: true, dtsTicks: 3601 * 90_000 });
  expect(after.length).toBeLessThan(150);
  // The clock is set back: timestamps never decrease, and frames keep coming.
  now.skewMs = 0;
  const pictures = sink.pictures.length;
  clock.advance(1000);
  expect(sink.pictures.length - pictures).toBeGreaterThanOrEqual(24);
  const times = sink.pictures.map(({ dtsTicks }) => dtsTicks);
  expect(times.every((ticks, i) => i === 0 || ticks > (times[i - 1] ?? 0))).toBe(true);
});
