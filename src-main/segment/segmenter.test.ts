import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyAudio, anyOptions, anyStream, anyVideo, playSteps } from '../../tests/helpers/any-stream.ts';
import { EventChecker, windowFaults, windowValue } from '../../tests/helpers/check-window.ts';
import { MemoryModel } from '../../tests/helpers/memory-model.ts';
import { madeUnits } from '../../tests/helpers/made-input.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { LiveWindow } from './live-window.ts';
import type { WindowEvent } from './window-event.ts';

/** Number of random streams per run. Set AIRDESK_RUNS to test more of them. */
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 60);
const TIMEOUT_MS = 400_000 + RUNS * 200;

describe('Segmenter', () => {
  it(
    'keeps the invariants of a window for any input',
    () => {
      fc.assert(
        fc.property(anyStream, ({ steps, options }) => {
          const stream = new StreamRun(options);
          const checker = new EventChecker();
          const memory = new MemoryModel();
          const twin = new LiveWindow(stream.options);
          const faults: string[] = [];
          stream.onEvents = (events) => {
            checker.take(events);
            memory.take(events, stream.window);
            formats += events.filter(({ type }) => type === 'init').length;
          };
          let formats = 0;
          let batches = 0;
          stream.onBatch = (events) => {
            faults.push(...windowFaults(stream.window, stream.options.segmentCount));
            // A structured clone shares the same memory. The twin must not count it again, so it only reads.
            twin.apply(structuredClone(events).map(uncounted));
            if (batches++ % 40 === 0) expect(windowValue(twin)).toEqual(windowValue(stream.window));
          };
          playSteps(steps, stream);
          expect([...checker.faults, ...faults, ...memory.faults].slice(0, 5)).toEqual([]);
          expect(checker.segments.filter((segment) => !segment.isComplete)).toEqual([]);
          const dependent = checker.of('v1').filter(({ parts }) => parts[0]?.isIndependent === false);
          const tooLong = stream.problems.filter(({ code }) => code === 'gop_too_long').length;
          // Where the audio format changes, a segment may start with any picture.
          expect(dependent.length).toBeLessThanOrEqual(tooLong + formats);
          const flags = new Map(checker.segments.map(({ msn, isDiscontinuity }) => [msn, isDiscontinuity]));
          expect(checker.segments.filter(({ msn, isDiscontinuity }) => flags.get(msn) !== isDiscontinuity)).toEqual([]);
          expect(windowValue(twin)).toEqual(windowValue(stream.window));
          stream.window.clear();
          expect(stream.pool.inUse).toBe(0);
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );

  it('ends the last picture of a format before the first picture of the next format, even if each picture is a segment', () => {
    const stream = new StreamRun({ partMs: 500, segmentMs: 1000, segmentCount: 1, maxSegmentMs: 8000 });
    const checker = new EventChecker();
    stream.onEvents = (events) => {
      checker.take(events);
    };
    stream.play({
      video: { fps: 24, gopFrames: 1, bFrames: 0, variant: 0, statesFps: false },
      seconds: 6,
      startTicks: 0,
      jitterMs: 8,
      jumps: [{ atMs: 1084, byMs: 60_000 }],
      seed: 364_074_839,
    });
    stream.play({
      video: { fps: 12.5, gopFrames: 1, bFrames: 1, variant: 0, statesFps: false },
      audio: { sampleRate: 48_000, lateMs: 0 },
      seconds: 1,
    });
    stream.close();
    expect(checker.faults).toEqual([]);
  });

  it('starts a new format after the start of all tracks, although the video had stalled', () => {
    const stream = new StreamRun({ partMs: 200, segmentMs: 1000, segmentCount: 1, maxSegmentMs: 8000 });
    const checker = new EventChecker();
    const faults: string[] = [];
    stream.onEvents = (events) => {
      checker.take(events);
    };
    stream.onBatch = () => faults.push(...windowFaults(stream.window, 1));
    const audio = { sampleRate: 22_050, lateMs: 0 };
    stream.play({ audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 1 });
    stream.play({
      video: { fps: 50, gopFrames: 2, bFrames: 0, statesFps: false },
      audio,
      seconds: 12,
      startTicks: 2 ** 40,
      jumps: [{ atMs: 9141, byMs: -5000 }],
      seed: 1,
    });
    stream.play({
      video: { fps: 25, gopFrames: 1, bFrames: 0, variant: 1, statesFps: false },
      audio,
      seconds: 1,
      startTicks: 2 ** 40,
    });
    stream.close();
    expect([...checker.faults, ...faults]).toEqual([]);
  });

  it('starts a new run after the end of the previous run, although its video starts much earlier than its audio', () => {
    const stream = new StreamRun({ partMs: 200, segmentMs: 1000, segmentCount: 1, maxSegmentMs: 8000 });
    const checker = new EventChecker();
    stream.onEvents = (events) => {
      checker.take(events);
    };
    const video = { fps: 25, gopFrames: 1, bFrames: 0, statesFps: false };
    stream.play({ video, seconds: 1, startTicks: 0, jumps: [{ atMs: 1, byMs: 2000 }], seed: 1 });
    stream.restart();
    stream.play({ video, audio: { sampleRate: 48_000, lateMs: 620 }, seconds: 1 });
    stream.play({ video, seconds: 1 });
    stream.close();
    expect(checker.faults).toEqual([]);
  });

  it(
    'cuts all tracks at the same times without losing samples, even if audio arrives 2 s early or late',
    () => {
      fc.assert(
        fc.property(
          anyVideo,
          anyAudio,
          fc.integer({ min: 8, max: 20 }),
          anyOptions,
          (picture, sound, seconds, options) => {
            // A window that is shorter than the delay cannot keep late media.
            fc.pre((options.segmentCount ?? 0) * (options.segmentMs ?? 0) >= 4000);
            const stream = new StreamRun({ ...options, maxSegmentMs: 60_000 });
            const checker = new EventChecker();
            stream.onEvents = (events) => {
              checker.take(events);
            };
            const input = { video: picture, audio: sound, seconds };
            const units = madeUnits(input);
            stream.play(input);
            stream.close();
            expect(checker.faults.slice(0, 5)).toEqual([]);
            const pictures = checker.of('v1');
            const sounds = checker.of('a1');
            expect(sounds.map(({ msn }) => msn)).toEqual(pictures.map(({ msn }) => msn));
            const frameSeconds = Math.max(1 / picture.fps, 1024 / sound.sampleRate) + 0.001;
            const distances = pictures.map((segment, index) => {
              const other = sounds[index];
              return other ? Math.abs(segment.startTicks / segment.timescale - other.startTicks / other.timescale) : 0;
            });
            // The first audio may be later, because nothing arrived before it.
            expect(distances.slice(1).filter((difference) => difference > frameSeconds)).toEqual([]);
            // Every picture is present, and every audio frame from the first picture on.
            expect(checker.samples('v1')).toBe(units.filter(({ unit }) => unit.trackId === 'v1').length);
            const startTicks = units.find(({ unit }) => unit.trackId === 'v1')?.unit.ptsTicks ?? 0;
            expect(checker.samples('a1')).toBeGreaterThanOrEqual(
              units.filter(({ unit }) => unit.trackId === 'a1' && unit.dtsTicks >= startTicks).length,
            );
            for (const segment of pictures) {
              expect(segment.parts[0]?.isIndependent).toBe(true);
              expect(segment.isGap).toBe(false);
            }
          },
        ),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );
});

function uncounted(event: WindowEvent): WindowEvent {
  return event.type === 'part' ? { ...event, bytes: { ...event.bytes, useOffset: -1 } } : event;
}
