import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyInput, anyOptions } from '../../tests/helpers/any-stream.ts';
import { EventChecker, windowFaults } from '../../tests/helpers/check-window.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { SEGMENTER_DEFAULTS } from '../segment/segmenter.ts';
import { ResumePoint } from './resume-point.ts';

const SPEC = {
  id: 1,
  name: 'cam',
  segmenter: SEGMENTER_DEFAULTS,
  inputs: [],
  retryLimit: null,
  endMs: 0,
  resume: { nextMsn: 100, nextInitId: 7, isContinuation: false },
};

describe('ResumePoint', () => {
  it('ends the window of a thread that died at any moment, and the next life goes on behind it', () => {
    fc.assert(
      fc.property(
        anyInput,
        anyOptions,
        fc.integer({ min: 0, max: 16_000 }),
        anyInput,
        (input, options, diesAtMs, next) => {
          const run = new StreamRun(options);
          const checker = new EventChecker();
          const faults: string[] = [];
          const window = new ResumePoint(SPEC);
          run.onEvents = (events) => {
            checker.take(events);
            window.take(events);
          };
          run.onBatch = () => faults.push(...windowFaults(run.window, run.options.segmentCount));
          run.playing(input)(diesAtMs);
          const ending = window.close();
          run.crash(ending, window.end);
          expect(ending.at(-1)).toEqual({ type: 'idle' });
          expect(checker.segments.filter(({ isComplete }) => !isComplete)).toEqual([]);
          expect(run.window.tracks.flatMap(({ segments }) => segments.filter(({ isComplete }) => !isComplete))).toEqual(
            [],
          );
          const before = checker.segments.length;
          run.play(next);
          run.close();
          expect([...checker.faults, ...faults].slice(0, 5)).toEqual([]);
          const [first] = checker.segments.slice(before);
          if (first && before > 0) expect(first.isDiscontinuity).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  it('says where the stream goes on when nothing came of it', () => {
    const window = new ResumePoint({ ...SPEC, endMs: 5000 });
    expect(window.close()).toEqual([{ type: 'idle' }]);
    expect(window.end).toEqual({ endMs: 5000, resume: SPEC.resume });
  });
});
