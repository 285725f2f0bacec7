import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { MachineTime } from '../../lib/machine-time.ts';
import { every } from '../../lib/timers.ts';
import { WallClockWatch, type ClockReading } from './wall-clock-watch.ts';

/**
 * Why nothing is deleted. `clock`: the wall clock jumped. `locks`: the database with the locks was lost, or is older than their copies. `catalog`: the catalog
 * of recordings was lost. `state`: the state of this guard was lost.
 */
export type HoldReason = 'clock' | 'locks' | 'catalog' | 'state';

const holdSchema = z.object({
  reason: z.enum(['clock', 'locks', 'catalog', 'state']),
  sinceMs: z.number(),
  /** Of `clock`: the last jump, in milliseconds, positive when the clock went ahead. */
  jumpMs: z.number().optional(),
  /** Of `locks`: locks and episodes that were restored from copies. */
  restored: z.number().optional(),
  /** Of `catalog`: disks and blocks that could not be read when it was made anew; undefined while it is made. */
  unread: z.number().optional(),
});

/** A reason why nothing is deleted, since when (epoch milliseconds), with its facts. */
export type DeletionHold = Readonly<z.infer<typeof holdSchema>>;

const stateSchema = z.object({
  form: z.literal(1),
  last: z.object({ wallMs: z.number(), uptimeMs: z.number(), bootId: z.string().nullable() }),
  /** How long the clock has been steady since its last jump, in milliseconds of running time. */
  steadyMs: z.number(),
  holds: z.array(holdSchema).max(10),
});

/** Options of a guard. */
export interface DeletionGuardOptions {
  readonly clock: Clock;
  readonly machine: MachineTime;
  /** What `save` was given last, by an earlier run; undefined for the first run. */
  readonly saved: string | undefined;
  /** Keeps the state over restarts. Failures are its own to report. */
  readonly save: (state: string) => void;
  /** A hold started, or has other facts. */
  readonly held: (hold: DeletionHold) => void;
  /** Holds ended: an operator confirmed, or the clock was steady for a day. */
  readonly released: (holds: readonly DeletionHold[]) => void;
}

/** How often the clocks are compared, in milliseconds. */
const LOOK_MS = 10_000;
/** How often the last reading is saved, in milliseconds. */
const SAVE_MS = 60_000;
/** How long the clock has to be steady after a jump, in milliseconds. */
const STEADY_MS = 86_400_000;

/**
 * Decides whether archives may be cleaned. Locks, the catalog and the wall clock decide what is deleted, so while one of them is in doubt nothing is: until an
 * operator confirms, or, after a jump of the clock, until it has been steady for a day, and of a lost catalog, until it was made anew from all disks.
 */
export class DeletionGuard {
  readonly #options: DeletionGuardOptions;
  readonly #watch: WallClockWatch;
  readonly #holds = new Map<HoldReason, DeletionHold>();
  #isChecked = false;
  #steadyMs: number;
  #lastMs: number;
  #savedMs: number;
  #stop: (() => void) | undefined;

  constructor(options: DeletionGuardOptions) {
    this.#options = options;
    const { clock, machine, saved } = options;
    const state = saved === undefined ? undefined : readState(saved);
    for (const hold of state?.holds ?? []) this.#holds.set(hold.reason, hold);
    this.#watch = new WallClockWatch(clock, machine, state?.last);
    this.#steadyMs = state?.steadyMs ?? 0;
    this.#lastMs = machine.uptimeMs();
    this.#savedMs = this.#lastMs;
    if (saved !== undefined && !state) this.hold('state');
    if (this.#watch.startJumpMs !== undefined) this.#jumped(this.#watch.startJumpMs);
    this.#save();
  }

  /** Compares the clocks from now on. */
  start(): void {
    this.#stop ??= every(this.#options.clock, LOOK_MS, () => {
      this.#look();
    });
  }

  close(): void {
    this.#stop?.();
    this.#save();
  }

  /** Why nothing is deleted, by reason. */
  get holds(): readonly DeletionHold[] {
    return [...this.#holds.values()];
  }

  /** Whether the locks were held against their copies. */
  get isChecked(): boolean {
    return this.#isChecked;
  }

  /** The locks were held against their copies: from now on something may be deleted. */
  checked(): void {
    this.#isChecked = true;
  }

  /** Whether something may be deleted now. Compares the clocks first. */
  mayDelete(): boolean {
    this.#look();
    return this.#isChecked && this.#holds.size === 0;
  }

  /** Stops deletion until an operator confirms. */
  hold(reason: HoldReason, facts: Pick<DeletionHold, 'jumpMs' | 'restored' | 'unread'> = {}): void {
    const known = this.#holds.get(reason);
    const hold = { reason, sinceMs: known?.sinceMs ?? this.#options.clock.now(), ...facts };
    this.#holds.set(reason, hold);
    this.#options.held(hold);
    this.#save();
  }

  /** Whether the catalog is incomplete because it is being made anew. */
  get isCatalogBeingMade(): boolean {
    const hold = this.#holds.get('catalog');
    return hold !== undefined && hold.unread === undefined;
  }

  /** The catalog was made anew from the disks. @param unread disks and blocks that could not be read: an operator has to confirm them */
  catalogMade(unread: number): void {
    const hold = this.#holds.get('catalog');
    if (!hold) return;
    if (unread === 0) this.#release([hold]);
    else this.hold('catalog', { unread });
  }

  /** An operator confirms that deletion may go on. A catalog that is being made is not complete yet, so its hold stays. @returns the holds that ended */
  confirm(): readonly DeletionHold[] {
    const ended = this.holds.filter(({ reason }) => reason !== 'catalog' || !this.isCatalogBeingMade);
    this.#release(ended);
    return ended;
  }

  #jumped(jumpMs: number): void {
    this.#steadyMs = 0;
    this.hold('clock', { jumpMs });
  }

  #look(): void {
    const jumpMs = this.#watch.look();
    const uptimeMs = this.#options.machine.uptimeMs();
    this.#steadyMs += Math.max(0, uptimeMs - this.#lastMs);
    this.#lastMs = uptimeMs;
    const held = this.#holds.get('clock');
    if (jumpMs !== undefined) this.#jumped(jumpMs);
    else if (held && this.#steadyMs >= STEADY_MS) this.#release([held]);
    else if (uptimeMs - this.#savedMs >= SAVE_MS) this.#save();
  }

  #release(ended: readonly DeletionHold[]): void {
    if (ended.length === 0) return;
    for (const { reason } of ended) this.#holds.delete(reason);
    this.#options.released(ended);
    this.#save();
  }

  #save(): void {
    const last: ClockReading = this.#watch.read();
    this.#savedMs = last.uptimeMs;
    this.#options.save(JSON.stringify({ form: 1, last, steadyMs: this.#steadyMs, holds: this.holds }));
  }
}

function readState(saved: string): z.infer<typeof stateSchema> | undefined {
  try {
    return stateSchema.parse(JSON.parse(saved));
  } catch {
    return undefined;
  }
}
