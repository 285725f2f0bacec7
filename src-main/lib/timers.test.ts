import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { CountedReport, DelayedWork, every, Wakeable } from './timers.ts';

/** Runs the callbacks of settled promises. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('every', () => {
  it('runs once in each period until it is stopped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.array(fc.nat(2000)), (periodMs, steps) => {
        const clock = new FakeClock(0);
        const atMs: number[] = [];
        const stop = every(clock, periodMs, () => atMs.push(clock.now()));
        for (const step of steps) clock.advance(step);
        const passedMs = clock.now();
        expect(atMs).toEqual(
          Array.from({ length: Math.floor(passedMs / periodMs) }, (_, turn) => (turn + 1) * periodMs),
        );
        stop();
        clock.advance(10 * periodMs);
        expect(atMs).toHaveLength(Math.floor(passedMs / periodMs));
      }),
    );
  });

  it('starts a period when the previous work ends', async () => {
    const clock = new FakeClock(0);
    const turns: PromiseWithResolvers<void>[] = [];
    const stop = every(clock, 100, () => {
      turns.push(Promise.withResolvers());
      return turns.at(-1)?.promise;
    });
    clock.advance(1000);
    expect(turns).toHaveLength(1);
    turns[0]?.resolve();
    await turn();
    clock.advance(99);
    expect(turns).toHaveLength(1);
    clock.advance(1);
    expect(turns).toHaveLength(2);
    stop();
    turns[1]?.resolve();
    await turn();
    clock.advance(1000);
    expect(turns).toHaveLength(2);
  });

  it('starts the first period after a promise, unless it is stopped before', async () => {
    const clock = new FakeClock(0);
    const begin = Promise.withResolvers<void>();
    const done: string[] = [];
    every(clock, 100, () => done.push('goes on'), begin.promise);
    const stop = every(clock, 100, () => done.push('was stopped'), begin.promise);
    clock.advance(1000);
    expect(done).toEqual([]);
    stop();
    begin.resolve();
    await turn();
    clock.advance(150);
    expect(done).toEqual(['goes on']);
  });

  it('can be stopped by its own work', () => {
    const clock = new FakeClock(0);
    let count = 0;
    const stop = every(clock, 10, () => {
      if (++count === 3) stop();
    });
    clock.advance(1000);
    expect(count).toBe(3);
  });
});

describe('DelayedWork', () => {
  it('runs once for all requests, never later than its delay after the first request', () => {
    const step = fc.record({ passesMs: fc.nat(300), act: fc.constantFrom('ask', 'cancel', 'wait') });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.array(step), (delayMs, steps) => {
        const clock = new FakeClock(0);
        const doneMs: number[] = [];
        const work = new DelayedWork(clock, delayMs, () => doneMs.push(clock.now()));
        const expectedMs: number[] = [];
        let requestedMs: number | undefined;
        for (const { passesMs, act } of steps) {
          clock.advance(passesMs);
          if (requestedMs !== undefined && clock.now() - requestedMs >= delayMs) {
            expectedMs.push(requestedMs + delayMs);
            requestedMs = undefined;
          }
          expect(work.isScheduled).toBe(requestedMs !== undefined);
          if (act === 'ask') {
            work.schedule();
            requestedMs ??= clock.now();
          } else if (act === 'cancel') {
            work.cancel();
            requestedMs = undefined;
          }
          expect(doneMs).toEqual(expectedMs);
        }
      }),
    );
  });

  it('can request itself again', () => {
    const clock = new FakeClock(0);
    let count = 0;
    const work = new DelayedWork(clock, 10, () => {
      if (++count < 3) work.schedule();
    });
    work.schedule();
    clock.advance(1000);
    expect(count).toBe(3);
  });
});

describe('CountedReport', () => {
  it('reports at once, then once per period, and counts each event once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.array(fc.nat(800), { minLength: 1 }), (periodMs, steps) => {
        const clock = new FakeClock(0);
        const reports: { readonly atMs: number; readonly last: number; readonly count: number }[] = [];
        const report = new CountedReport<number>(clock, periodMs, (last, count) =>
          reports.push({ atMs: clock.now(), last, count }),
        );
        for (const [index, step] of steps.entries()) {
          clock.advance(step);
          report.add(index);
          if (index === 0) expect(reports).toEqual([{ atMs: step, last: 0, count: 1 }]);
        }
        clock.advance(2 * periodMs);
        let sum = 0;
        for (const [place, { atMs, last, count }] of reports.entries()) {
          sum += count;
          expect(last).toBe(sum - 1);
          expect(atMs - (reports[place - 1]?.atMs ?? -Infinity)).toBeGreaterThanOrEqual(periodMs);
        }
        expect(sum).toBe(steps.length);
      }),
    );
  });

  it('can cause the event that it reports', () => {
    const clock = new FakeClock(0);
    const counts: number[] = [];
    const report = new CountedReport<string>(clock, 100, (_, count) => {
      counts.push(count);
      report.add('again');
    });
    report.add('first');
    report.add('second');
    clock.advance(250);
    expect(counts).toEqual([1, 2, 1]);
  });
});

describe('Wakeable', () => {
  it('stops waiting after its time, at a notification, or at once after an earlier notification', async () => {
    const clock = new FakeClock(0);
    const place = new Wakeable(clock);
    const ended: string[] = [];
    const wait = async (name: string, ms?: number): Promise<void> => {
      await place.wait(ms);
      ended.push(name);
    };
    const timed = wait('its time', 100);
    clock.advance(99);
    await turn();
    expect(ended).toEqual([]);
    clock.advance(1);
    await timed;
    const woken = wait('was woken', 100);
    place.notify();
    place.notify();
    await woken;
    await wait('woken before');
    const last = wait('was closed');
    await turn();
    expect(ended).toEqual(['its time', 'was woken', 'woken before']);
    place.close();
    await last;
    await wait('after the end');
    expect(ended.slice(3)).toEqual(['was closed', 'after the end']);
    expect(place.isClosed).toBe(true);
  });

  it('sleeps its whole time despite notifications, unless it is closed', async () => {
    const clock = new FakeClock(0);
    const place = new Wakeable(clock);
    let isAwake = false;
    const sleep = place.sleep(100).then(() => (isAwake = true));
    clock.advance(50);
    place.notify();
    await turn();
    expect(isAwake).toBe(false);
    clock.advance(50);
    await sleep;
    const long = place.sleep(1000);
    place.close();
    await long;
  });
});
