import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventChecker, windowFaults, windowValue } from '../../tests/helpers/check-window.ts';
import { MemoryModel } from '../../tests/helpers/memory-model.ts';
import { madeUnits, type MadeInput } from '../../tests/helpers/made-input.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { LiveWindow } from './live-window.ts';
import type { SegmenterOptions } from './segmenter.ts';
import type { WindowEvent } from './window-event.ts';

/** Random streams in each run; raise it to search. */
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 60);
const TIMEOUT_MS = 20_000 + RUNS * 200;

type Step = { readonly play: MadeInput } | { readonly idleMs: number } | { readonly restart: true };

const video = fc.record({
  fps: fc.constantFrom(25, 30, 29.97, 50, 59.94, 12.5, 24, 10, 5),
  gopFrames: fc.integer({ min: 1, max: 80 }),
  bFrames: fc.constantFrom(0, 0, 1, 2, 3),
  variant: fc.integer({ min: 0, max: 2 }),
  saysFps: fc.boolean(),
});
const audio = fc.record({
  sampleRate: fc.constantFrom(48_000, 44_100, 22_050, 8000),
  lateMs: fc.oneof(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: -60, max: 60 })),
});
const input: fc.Arbitrary<MadeInput> = fc
  .record({
    video: fc.option(video, { nil: undefined, freq: 6 }),
    audio: fc.option(audio, { nil: undefined, freq: 6 }),
    seconds: fc.integer({ min: 1, max: 16 }),
    jitterMs: fc.constantFrom(undefined, 0, 1, 8),
    startTicks: fc.constantFrom(0, 126_000, 2 ** 33 - 900_000, 2 ** 40),
    silences: fc.array(
      fc.record({ track: fc.constantFrom('v1' as const, 'a1' as const, 'all' as const), fromMs: fc.integer({ min: 0, max: 12_000 }), lengthMs: fc.integer({ min: 100, max: 9000 }) }),
      { maxLength: 2 },
    ),
    jumps: fc.array(fc.record({ atMs: fc.integer({ min: 0, max: 12_000 }), byMs: fc.constantFrom(-3_600_000, -5000, -700, -300, 300, 2000, 9000, 60_000, 10_800_000, -95_443_717) }), { maxLength: 2 }),
    seed: fc.integer({ min: 1, max: 1 << 30 }),
  })
  .map(({ video, audio, silences, jitterMs, ...rest }) => ({
    ...rest,
    // Something has to play.
    ...(video ? { video } : {}),
    ...(audio ? { audio } : video ? {} : { audio: { sampleRate: 48_000, lateMs: 0 } }),
    ...(jitterMs === undefined ? {} : { jitterMs }),
    silences: silences.map(({ track, fromMs, lengthMs }) => ({ track, fromMs, toMs: fromMs + lengthMs })),
  }));
const steps: fc.Arbitrary<Step[]> = fc
  .tuple(
    input,
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: input.map((play): Step => ({ play })) },
        { weight: 1, arbitrary: fc.constantFrom(0, 200, 3000, 100_000).map((idleMs): Step => ({ idleMs })) },
        { weight: 1, arbitrary: fc.constant<Step>({ restart: true }) },
      ),
      { maxLength: 4 },
    ),
  )
  .map(([first, others]) => [{ play: first }, ...others]);
const options: fc.Arbitrary<Partial<SegmenterOptions>> = fc.record({
  partMs: fc.constantFrom(200, 500, 333),
  segmentMs: fc.constantFrom(1000, 2000, 4000),
  segmentCount: fc.integer({ min: 1, max: 8 }),
  maxSegmentMs: fc.constantFrom(8000, 20_000),
});

function run(list: readonly Step[], stream: StreamRun): void {
  for (const step of list) {
    if ('play' in step) stream.play(step.play);
    else if ('idleMs' in step) stream.idle(step.idleMs);
    else stream.restart();
  }
  stream.close();
}

describe('Segmenter', () => {
  it('keeps the promises of a window for any input', () => {
    fc.assert(
      fc.property(steps, options, (list, wanted) => {
        const stream = new StreamRun(wanted);
        const checker = new EventChecker();
        const memory = new MemoryModel();
        const twin = new LiveWindow(stream.options);
        const faults: string[] = [];
        stream.onEvents = (events) => {
          checker.take(events);
          memory.take(events, stream.window);
        };
        let batches = 0;
        stream.onBatch = (events) => {
          faults.push(...windowFaults(stream.window, stream.options.segmentCount));
          // A structured clone keeps shared memory shared: counting it twice would be wrong, so the twin only looks.
          twin.apply(structuredClone(events).map(uncounted));
          if (batches++ % 40 === 0) expect(windowValue(twin)).toEqual(windowValue(stream.window));
        };
        run(list, stream);
        expect([...checker.faults, ...faults, ...memory.faults].slice(0, 5)).toEqual([]);
        expect(checker.segments.filter((segment) => !segment.isComplete)).toEqual([]);
        const dependent = checker.of('v1').filter(({ parts }) => parts[0]?.isIndependent === false);
        expect(dependent.length).toBeLessThanOrEqual(stream.problems.filter(({ code }) => code === 'gop_too_long').length);
        const flags = new Map(checker.segments.map(({ msn, isDiscontinuity }) => [msn, isDiscontinuity]));
        expect(checker.segments.filter(({ msn, isDiscontinuity }) => flags.get(msn) !== isDiscontinuity)).toEqual([]);
        expect(windowValue(twin)).toEqual(windowValue(stream.window));
        stream.window.clear();
        expect(stream.pool.inUse).toBe(0);
      }),
      { numRuns: RUNS },
    );
  }, TIMEOUT_MS);

  it('cuts all tracks at the same times and loses nothing, though sound comes 2 s early or late', () => {
    fc.assert(
      fc.property(video, audio, fc.integer({ min: 8, max: 20 }), options, (picture, sound, seconds, wanted) => {
        // A window that is shorter than the delay cannot keep what comes late.
        fc.pre((wanted.segmentCount ?? 0) * (wanted.segmentMs ?? 0) >= 4000);
        const stream = new StreamRun({ ...wanted, maxSegmentMs: 60_000 });
        const checker = new EventChecker();
        stream.onEvents = (events) => {
          checker.take(events);
        };
        const made = { video: picture, audio: sound, seconds };
        const units = madeUnits(made);
        stream.play(made);
        stream.close();
        expect(checker.faults.slice(0, 5)).toEqual([]);
        const pictures = checker.of('v1');
        const sounds = checker.of('a1');
        expect(sounds.map(({ msn }) => msn)).toEqual(pictures.map(({ msn }) => msn));
        const frameSeconds = Math.max(1 / picture.fps, 1024 / sound.sampleRate) + 0.001;
        const apart = pictures.map((segment, index) => {
          const other = sounds[index];
          return other ? Math.abs(segment.startTicks / segment.timescale - other.startTicks / other.timescale) : 0;
        });
        // The first sound may be later: nothing came in before.
        expect(apart.slice(1).filter((difference) => difference > frameSeconds)).toEqual([]);
        // Each picture is there, and each frame of sound from the first picture on.
        expect(checker.samples('v1')).toBe(units.filter(({ unit }) => unit.trackId === 'v1').length);
        const startTicks = units.find(({ unit }) => unit.trackId === 'v1')?.unit.ptsTicks ?? 0;
        expect(checker.samples('a1')).toBeGreaterThanOrEqual(units.filter(({ unit }) => unit.trackId === 'a1' && unit.dtsTicks >= startTicks).length);
        for (const segment of pictures) {
          expect(segment.parts[0]?.isIndependent).toBe(true);
          expect(segment.isGap).toBe(false);
        }
      }),
      { numRuns: RUNS },
    );
  }, TIMEOUT_MS);
});

function uncounted(event: WindowEvent): WindowEvent {
  return event.type === 'part' ? { ...event, bytes: { ...event.bytes, useOffset: -1 } } : event;
}
