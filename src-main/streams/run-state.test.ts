import { describe, expect, it } from 'vitest';
import { nextRunState, type RunState, type RunStep } from './run-state.ts';

const IDLE: RunState = { kind: 'idle' };
const OPENING: RunState = { kind: 'opening', runId: 7 };
const RUNNING: RunState = { kind: 'running', runId: 7 };
const ENDING: RunState = { kind: 'ending', runId: 7, next: 'restart' };
const REMOVING: RunState = { kind: 'ending', runId: 7, next: 'removed' };
const ABSENT: RunState = { kind: 'absent' };
const OPEN: RunStep = { kind: 'open', runId: 7 };
const RESTART: RunStep = { kind: 'end', next: 'restart' };
const REMOVE: RunStep = { kind: 'end', next: 'removed' };

describe('nextRunState', () => {
  it.each<[RunState, RunStep, RunState]>([
    [IDLE, OPEN, OPENING],
    [OPENING, { kind: 'measured' }, RUNNING],
    [ENDING, { kind: 'measured' }, ENDING],
    [OPENING, RESTART, ENDING],
    [RUNNING, REMOVE, REMOVING],
    [IDLE, RESTART, IDLE],
    [IDLE, REMOVE, ABSENT],
    [ENDING, { kind: 'ended' }, IDLE],
    [REMOVING, { kind: 'ended' }, ABSENT],
    [RUNNING, { kind: 'lost' }, IDLE],
  ])('changes from %o by %o to %o', (state, step, next) => {
    expect(nextRunState(state, step)).toEqual(next);
  });

  it.each<[RunState, RunStep]>([
    [OPENING, OPEN],
    [RUNNING, OPEN],
    [ENDING, OPEN],
    [ABSENT, OPEN],
    [ENDING, RESTART],
    [ABSENT, RESTART],
    [RUNNING, { kind: 'ended' }],
    [IDLE, { kind: 'lost' }],
    [ENDING, { kind: 'lost' }],
  ])('throws if the step is impossible: %o %o', (state, step) => {
    expect(() => nextRunState(state, step)).toThrow(/cannot take the step/);
  });
});
