import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { MachineTime } from '../../lib/machine-time.ts';
import { DeletionGuard, type DeletionHold } from './deletion-guard.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Machine with an adjustable wall clock and a running guard. */
class Machine {
  readonly clock = new FakeClock();
  readonly holds: DeletionHold[] = [];
  readonly released: (readonly DeletionHold[])[] = [];
  saved: string | undefined;
  bootId: string | null = 'first';
  guard: DeletionGuard;
  #setMs = 0;
  #bootMs = this.clock.now();

  constructor() {
    this.guard = this.start();
  }

  /** Starts the server. */
  start(): DeletionGuard {
    const { clock } = this;
    const setMs = (): number => this.#setMs;
    const machine: MachineTime = { uptimeMs: () => clock.now() - this.#bootMs, bootId: this.bootId };
    this.guard = new DeletionGuard({
      clock: { now: () => clock.now() + setMs(), after: (ms, callback) => clock.after(ms, callback) },
      machine,
      saved: this.saved,
      save: (state) => (this.saved = state),
      onHold: (hold) => this.holds.push(hold),
      released: (holds) => this.released.push(holds),
    });
    this.guard.checked();
    this.guard.start();
    return this.guard;
  }

  /** Sets the wall clock. */
  set(byMs: number): void {
    this.#setMs += byMs;
  }

  /** Advances the time while no server runs. */
  off(ms: number, { isRestarted }: { readonly isRestarted: boolean }): void {
    this.guard.close();
    this.clock.stall(ms);
    if (!isRestarted) return;
    this.bootId = `${this.bootId}+`;
    this.#bootMs = this.clock.now();
  }
}

describe('DeletionGuard', () => {
  it.each([
    ['ahead by eight days', 8 * DAY_MS],
    ['back by eight days', -8 * DAY_MS],
    ['ahead by an hour and a second', HOUR_MS + 1000],
  ])('stops deletion at once when the clock is set %s', (_, byMs) => {
    const machine = new Machine();
    machine.clock.advance(HOUR_MS);
    expect(machine.guard.mayDelete()).toBe(true);
    machine.set(byMs);
    expect(machine.guard.mayDelete()).toBe(false);
    expect(machine.guard.holds).toMatchObject([{ reason: 'clock', jumpMs: byMs }]);
  });

  it('accepts small clock corrections, but adds them up', () => {
    const machine = new Machine();
    machine.set(0.6 * HOUR_MS);
    machine.clock.advance(60_000);
    expect(machine.guard.mayDelete()).toBe(true);
    machine.set(0.6 * HOUR_MS);
    expect(machine.guard.mayDelete()).toBe(false);
  });

  it('allows deletion after a day of running with a steady clock, across restarts, and starts over at each clock jump', () => {
    const machine = new Machine();
    machine.set(8 * DAY_MS);
    machine.clock.advance(0.9 * DAY_MS);
    machine.set(2 * HOUR_MS);
    machine.clock.advance(0.6 * DAY_MS);
    machine.off(0.9 * DAY_MS, { isRestarted: false });
    machine.start();
    machine.clock.advance(0.3 * DAY_MS);
    expect(machine.guard.mayDelete()).toBe(false);
    machine.clock.advance(0.2 * DAY_MS);
    expect(machine.guard.mayDelete()).toBe(true);
    expect(machine.released).toMatchObject([[{ reason: 'clock', jumpMs: 2 * HOUR_MS }]]);
  });

  it.each([
    ['the server was off for a month and the machine ran', 30 * DAY_MS, 0, false, true],
    ['the clock was set ahead meanwhile', HOUR_MS, 8 * DAY_MS, false, false],
    ['the clock was set back meanwhile', HOUR_MS, -2 * HOUR_MS, false, false],
    ['the machine was off for less than a day', 0.9 * DAY_MS, 0, true, true],
    ['the machine was off for longer, or its clock is wrong', 8 * DAY_MS, 0, true, false],
    ['the machine starts with an old clock', HOUR_MS, -9000 * DAY_MS, true, false],
  ])('allows or stops deletion at start when %s', (_, offMs, setMs, isRestarted, mayDelete) => {
    const machine = new Machine();
    machine.clock.advance(DAY_MS);
    machine.off(offMs, { isRestarted });
    machine.set(setMs);
    expect(machine.start().mayDelete()).toBe(mayDelete);
  });

  it('keeps a hold for restored locks over restarts until an operator confirms it', () => {
    const machine = new Machine();
    machine.guard.hold('locks', { restored: 3 });
    machine.clock.advance(3 * DAY_MS);
    machine.off(HOUR_MS, { isRestarted: true });
    expect(machine.start().mayDelete()).toBe(false);
    expect(machine.guard.confirm()).toMatchObject([{ reason: 'locks', restored: 3 }]);
    expect(machine.guard.mayDelete()).toBe(true);
    machine.off(HOUR_MS, { isRestarted: true });
    expect(machine.start().mayDelete()).toBe(true);
  });

  it('stops deletion before the locks were checked, and if its own state is damaged', () => {
    const machine = new Machine();
    machine.saved = machine.saved?.slice(0, 20);
    machine.start();
    expect(machine.guard.holds).toMatchObject([{ reason: 'state' }]);
    const clock = new FakeClock();
    const nothing = (): undefined => undefined;
    const fresh = new DeletionGuard({
      clock,
      machine: { uptimeMs: () => clock.now(), bootId: null },
      saved: undefined,
      save: nothing,
      onHold: nothing,
      released: nothing,
    });
    expect(fresh.mayDelete()).toBe(false);
    fresh.checked();
    expect(fresh.mayDelete()).toBe(true);
  });
});
