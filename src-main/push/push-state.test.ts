import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOpen, newPush, STEADY_MS, stepPush, type PushRules, type PushState, type PushStep } from './push-state.ts';

const FAULT = { code: 'push_lost', detail: 'closed' };
const RULES: PushRules = { retryMs: 5000, retryLimit: null };

/** State after steps, each with the time that passes before it. */
function after(steps: readonly (readonly [afterMs: number, step: PushStep])[], rules = RULES): PushState {
  let nowMs = 0;
  let state = newPush(nowMs);
  for (const [afterMs, step] of steps) state = stepPush(state, step, rules, (nowMs += afterMs));
  return state;
}

const frames: PushStep = { kind: 'frames' };
const sent: PushStep = { kind: 'sent' };
const failed: PushStep = { kind: 'failed', fault: FAULT };
const tick: PushStep = { kind: 'tick' };

/** Rules with a planned start and end. */
const PLAN: PushRules = { ...RULES, startAtMs: 10_000, stopAtMs: 20_000 };

describe('the state of a push', () => {
  it.each<readonly [string, readonly (readonly [number, PushStep])[], Partial<PushState>]>([
    ['is pending without frames', [[9000, tick]], { phase: 'pending', tries: 0 }],
    ['is starting with the first frames', [[10, frames]], { phase: 'starting', tries: 1, sinceMs: 10 }],
    ['is running when a frame was sent', [[10, frames], [20, sent]], { phase: 'running', sinceMs: 30 }], // prettier-ignore
    ['is retry after a fault', [[0, frames], [1, failed]], { phase: 'retry', tries: 1, fault: FAULT }], // prettier-ignore
    ['stays retry before the wait is over', [[0, frames], [0, failed], [4999, tick]], { phase: 'retry' }], // prettier-ignore
    ['is starting after the wait', [[0, frames], [0, failed], [5000, tick]], { phase: 'starting', tries: 2, fault: FAULT }], // prettier-ignore
    ['is pending after a wait without frames', [[0, frames], [0, failed], [1, { kind: 'idle' }], [4999, tick]], { phase: 'pending' }], // prettier-ignore
    ['is pending when the stream is idle', [[0, frames], [0, sent], [60_000, { kind: 'idle' }]], { phase: 'pending', tries: 0 }], // prettier-ignore
    ['forgets faults while it runs', [[0, frames], [0, failed], [5000, tick], [0, sent], [STEADY_MS, tick]], { phase: 'running', tries: 1 }], // prettier-ignore
    ['is error after a final fault', [[0, frames], [0, { ...failed, isFinal: true }], [60_000, tick], [0, frames]], { phase: 'error' }], // prettier-ignore
    ['starts again with other tracks', [[0, frames], [0, { ...failed, isFinal: true }], [0, { kind: 'tracks' }], [0, frames]], { phase: 'starting', tries: 1 }], // prettier-ignore
  ])('%s', (_title, steps, expected) => {
    const state = after(steps);
    expect(state).toMatchObject(expected);
    if (expected.fault === undefined && expected.phase === 'running') expect(state.fault).toBeUndefined();
  });

  it('is error after the last attempt', () => {
    const rules = { retryMs: 1000, retryLimit: 1 };
    const once: (readonly [number, PushStep])[] = [[0, frames], [0, failed]]; // prettier-ignore
    expect(after(once, rules).phase).toBe('retry');
    expect(after([...once, [1000, tick], [0, failed]], rules)).toMatchObject({ phase: 'error', tries: 2 });
    // A target that accepts and closes at once makes no progress.
    expect(after([...once, [1000, tick], [0, sent], [10, failed]], rules).phase).toBe('error');
    expect(after([...once, [1000, tick], [0, sent], [STEADY_MS, failed]], rules).phase).toBe('retry');
  });

  it.each<readonly [string, readonly (readonly [number, PushStep])[], PushRules, Partial<PushState>]>([
    [
      'is planned before its start, whatever comes',
      [
        [0, frames],
        [9999, tick],
      ],
      PLAN,
      { phase: 'planned', tries: 0, sinceMs: 0 },
    ],
    [
      'is pending from its start until the next frame',
      [
        [0, frames],
        [10_000, tick],
      ],
      PLAN,
      { phase: 'pending', sinceMs: 10_000 },
    ],
    [
      'is starting with the first frame after its start',
      [
        [0, frames],
        [10_000, frames],
      ],
      PLAN,
      { phase: 'starting', tries: 1, sinceMs: 10_000 },
    ],
    [
      'is ended at its planned end',
      [
        [10_000, frames],
        [0, sent],
        [10_000, tick],
      ],
      PLAN,
      { phase: 'ended', sinceMs: 20_000, tries: 0 },
    ],
    [
      'is ended during its attempts',
      [
        [10_000, frames],
        [0, failed],
        [15_000, tick],
      ],
      PLAN,
      { phase: 'ended' },
    ],
    [
      'stays ended',
      [
        [20_000, tick],
        [5000, frames],
        [0, { kind: 'tracks' }],
      ],
      PLAN,
      { phase: 'ended', sinceMs: 20_000 },
    ],
    ['is ended at once if its end is in the past', [[0, frames]], { ...RULES, stopAtMs: 0 }, { phase: 'ended' }],
    ['runs at once if its start is in the past', [[5, frames]], { ...RULES, startAtMs: 3 }, { phase: 'starting' }],
    [
      'never runs if its end is before its start',
      [
        [0, frames],
        [5, frames],
        [5, frames],
      ],
      { ...RULES, startAtMs: 8, stopAtMs: 4 },
      { phase: 'ended' },
    ],
  ])('with a plan %s', (_title, steps, rules, expected) => {
    // prettier-ignore
    expect(after(steps, rules)).toMatchObject(expected);
  });

  it('starts again if its planned end is removed, and waits again if its start is moved', () => {
    const ended = after([[20_000, frames]], PLAN);
    expect(stepPush(ended, tick, RULES, 21_000)).toMatchObject({ phase: 'pending', sinceMs: 21_000 });
    expect(stepPush(ended, frames, RULES, 21_000)).toMatchObject({ phase: 'starting', tries: 1 });
    const running = after([[10_000, frames], [0, sent]], PLAN); // prettier-ignore
    expect(stepPush(running, tick, { ...RULES, startAtMs: 15_000 }, 12_000).phase).toBe('planned');
  });

  const anyStep = fc.oneof(
    fc.constantFrom<PushStep>(frames, sent, failed, tick, { kind: 'idle' }, { kind: 'tracks' }),
    fc.constant<PushStep>({ kind: 'failed', fault: FAULT, isFinal: true }),
  );
  const anyRules = fc.record({
    retryMs: fc.integer({ min: 100, max: 20_000 }),
    retryLimit: fc.option(fc.nat(5), { nil: null }),
  });
  const anyPlan = fc.record(
    { startAtMs: fc.integer({ min: -10_000, max: 100_000 }), stopAtMs: fc.integer({ min: -10_000, max: 100_000 }) },
    { requiredKeys: [] },
  );

  it('is open only between its planned start and end, with any events', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(6000), anyStep)), anyRules, anyPlan, (steps, rules, plan) => {
        const all = { ...rules, ...plan };
        const { startAtMs = -Infinity, stopAtMs = Infinity } = plan;
        let nowMs = 0;
        let state = newPush(nowMs);
        for (const [afterMs, step] of steps) {
          nowMs += afterMs;
          const before = state;
          state = stepPush(before, step, all, nowMs);
          const isIn = nowMs >= startAtMs && nowMs < stopAtMs;
          if (!isIn) expect(state.phase).toBe(nowMs >= stopAtMs ? 'ended' : 'planned');
          else expect(['planned', 'ended']).not.toContain(state.phase);
          // The first frame in the plan starts the first attempt.
          if (isIn && step.kind === 'frames' && before.phase === 'planned')
            expect(state).toMatchObject({ phase: 'starting', tries: 1, sinceMs: nowMs });
          // Without a plan the same events lead to the same state.
          if (startAtMs <= 0 && stopAtMs === Infinity) expect(state).toEqual(stepPush(before, step, rules, nowMs));
        }
      }),
    );
  });

  it('keeps its rules with any events', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(6000), anyStep)), anyRules, (steps, rules) => {
        let nowMs = 0;
        let state = newPush(nowMs);
        let failedMs = -Infinity;
        for (const [afterMs, step] of steps) {
          nowMs += afterMs;
          const before = state;
          state = stepPush(before, step, rules, nowMs);
          expect(state.sinceMs).toBeGreaterThanOrEqual(before.sinceMs);
          // The time of a phase is the time of its start.
          if (state.phase !== before.phase) expect(state.sinceMs).toBe(nowMs);
          if (state.phase === 'running' && before.phase !== 'running') expect(before.phase).toBe('starting');
          if (before.phase === 'error') expect(step.kind === 'tracks' || state.phase === 'error').toBe(true);
          if (isOpen(before) && state.phase === 'retry') failedMs = nowMs;
          if (before.phase === 'retry' && isOpen(state)) expect(nowMs - failedMs).toBeGreaterThanOrEqual(rules.retryMs);
          if (isOpen(state)) expect(state.hasFrames).toBe(true);
          if (rules.retryLimit !== null) expect(state.tries).toBeLessThanOrEqual(rules.retryLimit + 1);
          if (state.phase === 'retry' || state.phase === 'error') expect(state.fault).toBeDefined();
        }
      }),
    );
  });
});
