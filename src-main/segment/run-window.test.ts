import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyInput, anyOptions } from '../../tests/helpers/any-stream.ts';
import { EventChecker, windowFaults, windowValue } from '../../tests/helpers/check-window.ts';
import type { MadeInput } from '../../tests/helpers/made-input.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { LiveWindow } from './live-window.ts';
import { RunWindow, type ResumePoint } from './run-window.ts';
import { SEGMENTER_DEFAULTS, type SegmenterOptions } from './segmenter-options.ts';
import { release, retain } from './shared-use.ts';
import type { SharedBytes, WindowEvent } from './window-event.ts';

const START: ResumePoint = { endMs: 0, resume: { nextMsn: 100, nextInitId: 7, isContinuation: false } };

/** Next event of a stream. */
type Step =
  | { readonly type: 'play'; readonly input: MadeInput; readonly untilMs: number }
  | { readonly type: 'trim'; readonly keep: number }
  | { readonly type: 'attach' | 'detach'; readonly copy: number }
  | { readonly type: 'idle' | 'switch' | 'restart' | 'crash' };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('play' as const), input: anyInput, untilMs: fc.nat(16_000) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('trim' as const), keep: fc.integer({ min: 1, max: 9 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom('attach' as const, 'detach' as const), copy: fc.nat(2) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('idle' as const, 'switch' as const, 'restart' as const, 'crash' as const),
    }),
  },
);

/** Position at which a stream continues, computed slowly from all its earlier events. */
function replayedEnd(events: readonly WindowEvent[]): ResumePoint {
  const timescales = new Map<string, number>();
  const ends = new Map<string, number>();
  const end = { nextMsn: START.resume.nextMsn, nextInitId: START.resume.nextInitId, isContinuation: false };
  for (const event of events) {
    if (event.type === 'init') {
      for (const { track, initId } of event.tracks) {
        end.nextInitId = Math.max(end.nextInitId, initId + 1);
        timescales.set(track.id, track.timescale);
      }
    } else if ('trackId' in event) {
      const key = `${event.trackId} ${event.msn}`;
      const perMs = (timescales.get(event.trackId) ?? NaN) / 1000;
      if (event.type === 'segment-start') {
        end.nextMsn = Math.max(end.nextMsn, event.msn + 1);
        end.isContinuation = true;
        ends.set(key, event.startTicks / perMs);
        ends.set(`${key} start`, event.startTicks / perMs);
      } else if (event.type === 'part') ends.set(key, (event.startTicks + event.durationTicks) / perMs);
      else if (event.type === 'segment-end')
        ends.set(key, (ends.get(`${key} start`) ?? NaN) + event.durationTicks / perMs);
    }
  }
  return { endMs: Math.max(0, ...ends.values()), resume: end };
}

/** Reader that keeps the parts of a run, as a copy of the stream does until another thread has taken them. */
class Reader {
  readonly parts: SharedBytes[] = [];
  detach: (() => void) | undefined;

  attach(run: RunWindow): void {
    this.detach?.();
    this.detach = run.onEvents((events) => {
      for (const event of events) {
        if (event.type !== 'part') continue;
        retain(event.bytes);
        this.parts.push(event.bytes);
      }
    });
  }
}

/** The video ends with a segment number that the audio has not reached, and then the thread dies. */
const GONE_BEFORE_THE_END: [MadeInput, Partial<SegmenterOptions>, [MadeInput, number][]] = [
  { seconds: 1, startTicks: 0, audio: { sampleRate: 48_000, lateMs: 0 } },
  { partMs: 200, segmentMs: 1000, segmentCount: 1, maxSegmentMs: 8000 },
  [
    [
      {
        seconds: 2,
        startTicks: 0,
        audio: { sampleRate: 44_100, lateMs: 0 },
        video: { fps: 25, gopFrames: 1, bFrames: 0 },
      },
      1001,
    ],
    [{ seconds: 1, startTicks: 0, audio: { sampleRate: 44_100, lateMs: 0 } }, 0],
  ],
];

describe('RunWindow', () => {
  it('agrees with a replay of its events, for any events of the stream and its copies', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 12 }), anyOptions, (steps, options) => {
        const stream = new StreamRun(options);
        const readers = [new Reader(), new Reader(), new Reader()];
        const expected: SharedBytes[][] = [[], [], []];
        const isAttached = [false, false, false];
        stream.onEvents = (events) => {
          const parts = events.flatMap((event) => (event.type === 'part' ? [event.bytes] : []));
          for (const [index, attached] of isAttached.entries()) if (attached) expected[index]?.push(...parts);
        };
        const runs = [stream.run];
        for (const step of steps) {
          if (step.type === 'play') stream.playing(step.input)(step.untilMs);
          else if (step.type === 'idle') stream.idle(3000);
          else if (step.type === 'switch') stream.hub.inputSwitched();
          else if (step.type === 'attach') {
            readers[step.copy]?.attach(stream.run);
            isAttached[step.copy] = true;
          } else if (step.type === 'detach') {
            readers[step.copy]?.detach?.();
            isAttached[step.copy] = false;
          } else if (step.type === 'trim') {
            // Open segments stay in the window.
            const open = stream.window.tracks.map(({ track }) => stream.window.lastSegment(track.id)?.msn ?? 0);
            const firstMsn = Math.min(stream.window.nextMsn - step.keep, ...open);
            if (firstMsn > 0) stream.run.apply([{ type: 'trim', firstMsn }]);
          } else {
            stream[step.type]();
            isAttached.fill(false);
            runs.push(stream.run);
          }
          const replayed = replayedEnd(stream.events);
          const { endMs, resume } = stream.run.resumePoint;
          const { longestSegmentMs } = stream.window;
          expect(resume).toEqual({ ...replayed.resume, ...(longestSegmentMs > 0 ? { longestSegmentMs } : {}) });
          // A restart continues at the end of the timeline, which may be after the last cut. The window rounds to full
          // milliseconds.
          expect(endMs).toBeGreaterThan(Math.max(replayed.endMs, stream.run.start.endMs) - 0.01);
          expect(endMs).toBeLessThan(Math.max(replayed.endMs, stream.run.start.endMs) + 1.01);
          if (replayed.endMs > stream.run.start.endMs) expect(Number.isInteger(endMs)).toBe(true);
        }
        const twin = new LiveWindow(stream.options);
        // The twin must not count the use of a part again, so it only reads.
        twin.apply(
          stream.events.map((event) =>
            event.type === 'part' ? { ...event, bytes: { ...event.bytes, useOffset: -1 } } : event,
          ),
        );
        expect(windowValue(stream.window)).toEqual(windowValue(twin));
        stream.close();
        expect(readers.map(({ parts }) => parts)).toEqual(expected);
        expect(runs.map(({ isUnread }) => isUnread)).toEqual(runs.map(() => true));
        for (const { parts } of readers) for (const part of parts) release(part);
        stream.window.clear();
        expect(stream.pool.inUse).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('ends its window when the thread dies at any time, and the next run continues after it', () => {
    fc.assert(
      fc.property(
        anyInput,
        anyOptions,
        fc.array(fc.tuple(anyInput, fc.nat(16_000)), { minLength: 1, maxLength: 2 }),
        (last, options, inputs) => {
          const stream = new StreamRun(options);
          const checker = new EventChecker();
          const faults: string[] = [];
          stream.onEvents = (events) => {
            checker.take(events);
          };
          stream.onBatch = () => faults.push(...windowFaults(stream.window, stream.options.segmentCount));
          for (const [input, untilMs] of inputs) stream.playing(input)(untilMs);
          stream.crash();
          expect(stream.events.at(-1)).toEqual({ type: 'idle' });
          expect(checker.segments.filter(({ isComplete }) => !isComplete)).toEqual([]);
          const open = stream.window.tracks.flatMap(({ track }) =>
            stream.window.segments(track.id).filter(({ segment }) => !segment.isComplete),
          );
          expect(open).toEqual([]);
          // The next segment starts at the sum of the durations before it, which differs between tracks by a few parts
          // at most.
          const ends = stream.window.inits.flatMap(({ track: { id, timescale } }) => {
            const segment = stream.window.lastSegment(id)?.segment;
            return segment ? [((segment.startTicks + segment.durationTicks) * 1000) / timescale] : [];
          });
          const partMs = stream.options.partMs;
          const isTogether = inputs.every(
            ([{ audio, jumps, silences }]) =>
              !jumps?.length && !silences?.length && Math.abs(audio?.lateMs ?? 0) <= partMs,
          );
          if (ends.length > 0 && isTogether)
            expect(Math.max(...ends) - Math.min(...ends)).toBeLessThanOrEqual(2 * stream.window.longestPartMs + partMs);
          const before = checker.segments.length;
          stream.play(last);
          stream.close();
          expect([...checker.faults, ...faults].slice(0, 5)).toEqual([]);
          const [first] = checker.segments.slice(before);
          if (first && before > 0) expect(first.isDiscontinuity).toBe(true);
        },
      ),
      { numRuns: 60, examples: [GONE_BEFORE_THE_END] },
    );
  });

  it('removes parts at the end that have no counterpart in other tracks', () => {
    const stream = new StreamRun();
    const both: MadeInput = {
      video: { fps: 25, gopFrames: 50, bFrames: 0 },
      audio: { sampleRate: 48_000, lateMs: 0 },
      seconds: 5,
      startTicks: 0,
    };
    stream.playing(both)(3800);
    const lost = stream.events.findLast((event) => event.type === 'part' && event.trackId === 'a1');
    const run = new RunWindow(new LiveWindow(stream.options), START);
    run.apply(stream.events.filter((event) => event !== lost && event.type !== 'trim'));
    const [before = 0] = run.window.tracks.map(({ track: { id } }) => run.window.lastSegment(id)?.segment.parts.length);
    const endMs = run.window.endMs;
    run.interrupt();
    const [video, audio] = ['v1', 'a1'].map((id) => run.window.lastSegment(id));
    expect(video?.msn).toBe(audio?.msn);
    expect(video?.segment.parts).toHaveLength(before - 1);
    const seconds = [(video?.segment.durationTicks ?? 0) / 90_000, (audio?.segment.durationTicks ?? 0) / 48_000];
    expect(Math.abs((seconds[0] ?? 0) - (seconds[1] ?? 0))).toBeLessThan(0.05);
    expect(video?.segment.sizeBytes).toBe(video?.segment.parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    // The next run starts at the end of the used timeline.
    expect(run.resumePoint.endMs).toBe(endMs);
    run.window.clear();
    stream.close();
  });

  it('keeps its start as the resume point if the run had no media', () => {
    const run = new RunWindow(new LiveWindow(SEGMENTER_DEFAULTS), { ...START, endMs: 5000 });
    const received: WindowEvent[] = [];
    run.onEvents((events) => received.push(...events));
    run.interrupt();
    expect(received).toEqual([{ type: 'idle' }]);
    expect(run.resumePoint).toEqual({ ...START, endMs: 5000 });
    expect(run.hasTracks).toBe(false);
  });

  it('contains only the tracks of its own init events', () => {
    const stream = new StreamRun();
    const input: MadeInput = { audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 3, startTicks: 0 };
    stream.play(input);
    expect(stream.run.tracks.map(({ id }) => id)).toEqual(['a1']);
    stream.restart();
    expect(stream.window.tracks).toHaveLength(1);
    expect(stream.run.hasTracks).toBe(false);
    stream.play(input);
    expect(stream.run.tracks.map(({ id }) => id)).toEqual(['a1']);
  });

  it('ignores events after its end, and reports the end once', () => {
    const stream = new StreamRun();
    stream.play({ audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 3, startTicks: 0 });
    let ends = 0;
    stream.run.onEnd(() => ends++);
    stream.close();
    stream.run.close();
    expect(ends).toBe(1);
    const part = stream.events.findLast((event) => event.type === 'part');
    if (!part) throw new Error('no part');
    const before = windowValue(stream.window);
    retain(part.bytes);
    stream.run.apply([part, { type: 'trim', firstMsn: 1e9 }]);
    expect(windowValue(stream.window)).toEqual(before);
    stream.window.clear();
    expect(stream.pool.inUse).toBe(0);
  });
});
