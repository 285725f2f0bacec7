import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { MachineTime } from '../../lib/machine-time.ts';
import { every } from '../../lib/timers.ts';
import { WallClockWatch, type ClockReading } from './wall-clock-watch.ts';

/**
 * Reason for suspending deletion. `clock`: the wall clock jumped. `locks`: the database of locks was lost, or is older
 * than its copies. `catalog`: the catalog of recordings was lost. `state`: the state of this guard was lost.
 */
export type HoldReason = 'clock' | 'locks' | 'catalog' | 'state';

const holdSchema = z.object({
  reason: z.enum(['clock', 'locks', 'catalog', 'state']),
  sinceMs: z.number(),
  /** For `clock`: last jump in milliseconds, positive if the clock went forward. */
  jumpMs: z.number().optional(),
  /** For `locks`: number of locks and episodes restored from copies. */
  restored: z.number().optional(),
  /** For `catalog`: disks and blocks that could not be read for the rebuilt catalog; undefined while it is being rebuilt. */
  unread: z.number().optional(),
});

/** Reason for suspending deletion, with its start (epoch milliseconds) and details. */
export type DeletionHold = Readonly<z.infer<typeof holdSchema>>;

const stateSchema = z.object({
  form: z.literal(1),
  last: z.object({ wallMs: z.number(), uptimeMs: z.number(), bootId: z.string().nullable() }),
  /** Running time since the last jump of the clock, in milliseconds. */
  steadyMs: z.number(),
  holds: z.array(holdSchema).max(10),
});

export interface DeletionGuardOptions {
  readonly clock: Clock;
  readonly machine: MachineTime;
  /** Last state passed to `save` by an earlier run; undefined in the first run. */
  readonly saved: string | undefined;
  /** Stores the state across restarts, and reports its own failures. */
  readonly save: (state: string) => void;
  /** Called when a hold starts or its details change. */
  readonly onHold: (hold: DeletionHold) => void;
  /** Called when holds end: an operator confirmed, or the clock was steady for a day. */
  readonly released: (holds: readonly DeletionHold[]) => void;
}

/** Interval of clock comparisons in milliseconds. */
const CHECK_MS = 10_000;
/** Interval of saving the last reading, in milliseconds. */
const SAVE_MS = 60_000;
/** Time for which the clock has to be steady after a jump, in milliseconds. */
const STEADY_MS = 86_400_000;

/**
 * Decides whether archives may be cleaned. Deletion depends on the locks, the catalog and the wall clock. It is
 * suspended while one of them may be wrong: until an operator confirms, until the clock has been steady for a day after
 * a jump, or until a lost catalog is rebuilt from all disks.
 */
export class DeletionGuard {
  readonly #options: DeletionGuardOptions;
  readonly #watch: WallClockWatch;
  readonly #holds = new Map<HoldReason, DeletionHold>();
  #isChecked = false;
  #steadyMs: number;
  /** Uptime of the last check and of the last save, in milliseconds. */
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

  /** Starts comparing the clocks. */
  start(): void {
    this.#stop ??= every(this.#options.clock, CHECK_MS, () => {
      this.#checkClock();
    });
  }

  close(): void {
    this.#stop?.();
    this.#save();
  }

  /** Current holds, by reason. */
  get holds(): readonly DeletionHold[] {
    return [...this.#holds.values()];
  }

  /** Whether the locks were compared with their copies. */
  get isChecked(): boolean {
    return this.#isChecked;
  }

  /** Records that the locks were compared with their copies; from now on deletion is possible. */
  checked(): void {
    this.#isChecked = true;
  }

  /** Whether deletion is allowed now. Compares the clocks first. */
  mayDelete(): boolean {
    this.#checkClock();
    return this.#isChecked && this.#holds.size === 0;
  }

  /** Suspends deletion for a reason, or changes the details of its hold. */
  hold(reason: HoldReason, facts: Pick<DeletionHold, 'jumpMs' | 'restored' | 'unread'> = {}): void {
    const existing = this.#holds.get(reason);
    const hold = { reason, sinceMs: existing?.sinceMs ?? this.#options.clock.now(), ...facts };
    this.#holds.set(reason, hold);
    this.#options.onHold(hold);
    this.#save();
  }

  /** Whether the catalog was lost and is being rebuilt from the disks. */
  get isCatalogBeingRebuilt(): boolean {
    const hold = this.#holds.get('catalog');
    return hold !== undefined && hold.unread === undefined;
  }

  /**
   * Records that the catalog was rebuilt from the disks.
   *
   * @param unread number of disks and blocks that could not be read; an operator must confirm them
   */
  catalogRebuilt(unread: number): void {
    const hold = this.#holds.get('catalog');
    if (!hold) return;
    if (unread === 0) this.#release([hold]);
    else this.hold('catalog', { unread });
  }

  /**
   * Ends holds because an operator confirmed them. The hold of a catalog that is being rebuilt stays.
   *
   * @returns the holds that ended
   */
  confirm(): readonly DeletionHold[] {
    const ended = this.holds.filter(({ reason }) => reason !== 'catalog' || !this.isCatalogBeingRebuilt);
    this.#release(ended);
    return ended;
  }

  #jumped(jumpMs: number): void {
    this.#steadyMs = 0;
    this.hold('clock', { jumpMs });
  }

  #checkClock(): void {
    const jumpMs = this.#watch.check();
    const uptimeMs = this.#options.machine.uptimeMs();
    this.#steadyMs += Math.max(0, uptimeMs - this.#lastMs);
    this.#lastMs = uptimeMs;
    const hold = this.#holds.get('clock');
    if (jumpMs !== undefined) this.#jumped(jumpMs);
    else if (hold && this.#steadyMs >= STEADY_MS) this.#release([hold]);
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
