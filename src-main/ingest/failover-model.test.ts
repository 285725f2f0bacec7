import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FailoverStage, type StagedInput } from '../../tests/helpers/failover-stage.ts';
import { FAILOVER_TICK_MS } from './failover-silence.ts';

const FRAMES_TIMEOUT_MS = 3000;
const GOP_MS = 1000;
/** Maximum time a working input stays off air while no other input is on air: timeout, next key frame, next tick. */
const LONGEST_DARK_MS = FRAMES_TIMEOUT_MS + GOP_MS + 2 * FAILOVER_TICK_MS;

/** Same limit for an input that must be opened first: longest retry delay, and timeouts of the inputs before it. */
const LONGEST_SEARCH_MS = 15_000 + 4 * (FRAMES_TIMEOUT_MS + FAILOVER_TICK_MS) + LONGEST_DARK_MS;

type Step =
  | { readonly do: 'run'; readonly ms: number }
  | { readonly do: 'online' | 'offline' | 'end' | 'publish'; readonly input: number }
  | { readonly do: 'select'; readonly input: number | undefined };

const inputs: fc.Arbitrary<readonly StagedInput[]> = fc
  .tuple(
    fc.array(fc.record({ kind: fc.constant<'pull'>('pull'), priority: fc.integer({ min: 1, max: 4 }) }), {
      maxLength: 3,
    }),
    fc.option(fc.record({ kind: fc.constant<'publish'>('publish'), priority: fc.integer({ min: 1, max: 4 }) }), {
      nil: undefined,
    }),
    fc.boolean(),
  )
  .map(([pulled, publish, hasBackup]) => [
    ...(publish ? [publish] : []),
    ...pulled,
    ...(hasBackup ? [{ kind: 'backup' as const }] : []),
  ])
  .filter((list) => list.length > 0);
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 40, max: 15_000 }).map((ms): Step => ({ do: 'run', ms })) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('online' as const, 'offline' as const, 'end' as const, 'publish' as const),
        input: fc.nat(3),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('select' as const), input: fc.option(fc.nat(3), { nil: undefined }) }),
    },
  ),
  { maxLength: 60 },
);

/** Executes a step of the environment. Steps that are impossible at the moment do nothing. */
function act(stage: FailoverStage, judge: Judge, step: Step): void {
  if (step.do === 'run') stage.run(step.ms);
  else if (step.do === 'select')
    stage.failover.select(
      step.input === undefined
        ? undefined
        : stage.failover.inputs[step.input % Math.max(1, stage.failover.inputs.length)],
    );
  else {
    const index = step.input % stage.fedInputs.length;
    const fedInput = stage.fedInput(index);
    if (step.do === 'online') fedInput.isOnline = true;
    else if (step.do === 'offline') fedInput.isOnline = false;
    else if (step.do === 'end') {
      stage.end(index);
      judge.ended(index);
    } else if (fedInput.kind === 'publish') stage.publish(index);
  }
}

/** Checks the invariants at each frame time. */
class Judge {
  readonly faults: string[] = [];
  readonly #stage: FailoverStage;
  /** Time since which each input has sent frames on one connection. NaN if it sends none. */
  readonly #goodSinceMs: number[];
  /** Time since which each input could send frames if opened. NaN if it could not. */
  readonly #readySinceMs: number[];
  #frames: number[];
  #checkedCalls = 0;
  #lastOutMs = 0;

  constructor(stage: FailoverStage) {
    this.#stage = stage;
    this.#goodSinceMs = stage.fedInputs.map(() => Number.NaN);
    this.#readySinceMs = stage.fedInputs.map(() => Number.NaN);
    this.#frames = stage.fedInputs.map(() => 0);
    stage.onStep = () => {
      this.#check();
    };
  }

  /** The peer of an input closed its connection. */
  ended(index: number): void {
    this.#readySinceMs[index] = Number.NaN;
  }

  #check(): void {
    const { nowMs, fedInputs, calls } = this.#stage;
    for (const [index, fedInput] of fedInputs.entries()) {
      if (fedInput.open > 1) this.faults.push(`${nowMs}: input ${index} has ${fedInput.open} connections`);
      if (!fedInput.isOnline || fedInput.kind === 'publish') this.#readySinceMs[index] = Number.NaN;
      else if (Number.isNaN(this.#readySinceMs[index])) this.#readySinceMs[index] = nowMs;
      const hasFrame = fedInput.frames > (this.#frames[index] ?? 0);
      this.#frames[index] = fedInput.frames;
      if (!hasFrame) this.#goodSinceMs[index] = Number.NaN;
      else if (Number.isNaN(this.#goodSinceMs[index])) this.#goodSinceMs[index] = nowMs;
    }
    const fresh = calls.slice(this.#checkedCalls);
    this.#checkedCalls = calls.length;
    const sources = new Set(fresh.filter(({ what }) => what === 'frame').map(({ input }) => input));
    // During a switch, frames of both inputs may arrive, each after the announcement of its input.
    if (sources.size > 1 && !fresh.some(({ what }) => what === 'switched'))
      this.faults.push(`${nowMs}: frames of ${[...sources].join(' and ')} at once`);
    if (sources.size > 0) this.#lastOutMs = nowMs;
    const darkMs = nowMs - this.#lastOutMs;
    if (Math.min(darkMs, longest(this.#goodSinceMs, nowMs)) > LONGEST_DARK_MS)
      this.faults.push(`${nowMs}: dark since ${this.#lastOutMs} though an input is good`);
    if (Math.min(darkMs, longest(this.#readySinceMs, nowMs)) > LONGEST_SEARCH_MS)
      this.faults.push(`${nowMs}: dark since ${this.#lastOutMs} though an input could be opened`);
  }

  /** Every frame comes from the last announced input, and another input starts only after `switched`. */
  orderFaults(): string[] {
    const faults: string[] = [];
    let announced = -1;
    let isSwitch = true;
    for (const { what, input, atMs } of this.#stage.calls) {
      if (what === 'switched') isSwitch = true;
      else if (what === 'tracks') {
        if (announced !== input && !isSwitch) faults.push(`${atMs}: input ${input} announced without a switch`);
        announced = input;
        isSwitch = false;
      } else if (what === 'frame' && input !== announced)
        faults.push(`${atMs}: a frame of ${input} while ${announced} is announced`);
    }
    return faults;
  }
}

function longest(since: readonly number[], nowMs: number): number {
  return Math.max(0, ...since.map((sinceMs) => (Number.isNaN(sinceMs) ? 0 : nowMs - sinceMs)));
}

describe('Failover with random inputs', () => {
  it('has one input on air at a time, and always an input if one works', () => {
    fc.assert(
      fc.property(inputs, steps, (list, actions) => {
        const stage = new FailoverStage(list, { backupAfterMs: 1000 });
        const judge = new Judge(stage);
        stage.failover.start();
        for (const action of actions) act(stage, judge, action);
        expect([...judge.faults, ...judge.orderFaults()].slice(0, 5)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('does not switch back and forth, however often the inputs fail and return', () => {
    const flaps = fc.array(
      fc.record({ input: fc.nat(3), forMs: fc.integer({ min: 200, max: 9000 }), isEnd: fc.boolean() }),
      { minLength: 20, maxLength: 60 },
    );
    fc.assert(
      fc.property(inputs, flaps, (list, rounds) => {
        const stage = new FailoverStage(list, { backupAfterMs: 1000 });
        stage.failover.start();
        for (const { input, forMs, isEnd } of rounds) {
          const index = input % stage.fedInputs.length;
          const fedInput = stage.fedInput(index);
          fedInput.isOnline = !fedInput.isOnline;
          if (fedInput.kind === 'publish' && !fedInput.sink) stage.publish(index);
          else if (isEnd && !fedInput.isOnline) stage.end(index);
          stage.run(forMs);
        }
        // Leaving a failed input is never forbidden. Returns to a better input are limited, so the sum is limited.
        const returns = stage.notices
          .filter(({ event, detail }) => event === 'input_switched' && detail === 'it has priority')
          .map(({ atMs }) => atMs);
        const maxSwitches = Math.max(
          0,
          ...returns.map((atMs) => returns.filter((other) => other >= atMs && other < atMs + 60_000).length),
        );
        expect(maxSwitches).toBeLessThanOrEqual(2 * list.length + 6);
      }),
      { numRuns: 200 },
    );
  });

  it('reconnects no more often than its retry delays allow', () => {
    const fates = fc.array(fc.boolean(), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fates, fc.integer({ min: 0, max: 2000 }), (online, runMs) => {
        const stage = new FailoverStage(online.map(() => ({ kind: 'pull' })));
        online.forEach((isOnline, index) => (stage.fedInput(index).isOnline = isOnline));
        stage.onStep = () => {
          stage.fedInputs.forEach(({ opens, open }, index) => {
            if (open > 0 && stage.nowMs - (opens.at(-1) ?? 0) >= runMs) stage.end(index);
          });
        };
        stage.failover.start();
        stage.run(120_000);
        // 1 + 2 + 4 + 8 s, then every 15 s. A connection that ends before it is steady does not reset the delay. Events
        // of a better input can open the next one.
        for (const { opens } of stage.fedInputs) expect(opens.length).toBeLessThanOrEqual(13 * online.length);
      }),
      { numRuns: 50 },
    );
  });
});
