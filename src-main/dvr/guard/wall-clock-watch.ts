import type { Clock } from '../../lib/clock.ts';
import type { MachineTime } from '../../lib/machine-time.ts';

/** Reading of both clocks. */
export interface ClockReading {
  /** Epoch milliseconds. */
  readonly wallMs: number;
  /** Milliseconds since the start of the machine. */
  readonly uptimeMs: number;
  /** Boot id that `uptimeMs` belongs to; null if unknown. */
  readonly bootId: string | null;
}

/** Minimum difference between wall clock and uptime that counts as a jump, in milliseconds. */
const JUMP_MS = 3_600_000;
/**
 * Maximum plausible time between the last reading and the boot, in milliseconds. The uptime does not include the time
 * the machine was off, so a longer time may be a wrong clock.
 */
const MAX_OFF_MS = 86_400_000;

/**
 * Compares the wall clock with the uptime of the machine. Small steps add up, because every reading is compared with
 * the reading at the start or at the last jump.
 */
export class WallClockWatch {
  /** Jump between the last reading of the previous run and this start, in milliseconds; undefined if none. */
  readonly startJumpMs: number | undefined;
  readonly #clock: Clock;
  readonly #machine: MachineTime;
  #reference: ClockReading;

  /** @param last last reading of the previous run; undefined for the first run */
  constructor(clock: Clock, machine: MachineTime, last: ClockReading | undefined) {
    this.#clock = clock;
    this.#machine = machine;
    this.#reference = this.read();
    this.startJumpMs = last && startJump(last, this.#reference);
  }

  read(): ClockReading {
    return { wallMs: this.#clock.now(), uptimeMs: this.#machine.uptimeMs(), bootId: this.#machine.bootId };
  }

  /** Jump of the wall clock since the start or the last reported jump, in milliseconds; undefined if none. */
  check(): number | undefined {
    const now = this.read();
    const jumpMs = differenceMs(this.#reference, now);
    if (Math.abs(jumpMs) <= JUMP_MS) return undefined;
    this.#reference = now;
    return jumpMs;
  }
}

function startJump(last: ClockReading, now: ClockReading): number | undefined {
  const isSameStart = last.bootId !== null && last.bootId === now.bootId && now.uptimeMs >= last.uptimeMs;
  const jumpMs = isSameStart ? differenceMs(last, now) : now.wallMs - last.wallMs;
  const isPlausible = jumpMs >= -JUMP_MS && jumpMs <= (isSameStart ? JUMP_MS : MAX_OFF_MS);
  return isPlausible ? undefined : jumpMs;
}

/** Advance of the wall clock minus the advance of the uptime, in milliseconds. */
function differenceMs(from: ClockReading, to: ClockReading): number {
  return to.wallMs - from.wallMs - (to.uptimeMs - from.uptimeMs);
}
