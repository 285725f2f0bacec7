import type { Clock } from '../../lib/clock.ts';
import type { MachineTime } from '../../lib/machine-time.ts';

/** A reading of both clocks. */
export interface ClockReading {
  /** Epoch milliseconds. */
  readonly wallMs: number;
  /** Milliseconds since the machine started. */
  readonly uptimeMs: number;
  /** Names the start of the machine that `uptimeMs` counts from; null where it has no name. */
  readonly bootId: string | null;
}

/** The wall clock has jumped when it differs from the uptime by more than this, in milliseconds. */
const JUMP_MS = 3_600_000;
/**
 * Longest time between the last reading and a start of the machine that is believed, in milliseconds. The uptime does not say how long the machine was off,
 * so a longer time may be a wrong clock.
 */
const MAX_OFF_MS = 86_400_000;

/** Compares the wall clock with the uptime of the machine. Small steps add up, because every reading is held against the first. */
export class WallClockWatch {
  /** Jump between the last reading of the run before and this start, in milliseconds; undefined where there is none. */
  readonly startJumpMs: number | undefined;
  readonly #clock: Clock;
  readonly #machine: MachineTime;
  #reference: ClockReading;

  /** @param last the last reading of the run before; undefined for the first run */
  constructor(clock: Clock, machine: MachineTime, last: ClockReading | undefined) {
    this.#clock = clock;
    this.#machine = machine;
    this.#reference = this.read();
    this.startJumpMs = last && startJump(last, this.#reference);
  }

  read(): ClockReading {
    return { wallMs: this.#clock.now(), uptimeMs: this.#machine.uptimeMs(), bootId: this.#machine.bootId };
  }

  /** Jump of the wall clock since the last call that returned one, in milliseconds; undefined where there is none. */
  look(): number | undefined {
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
  const isBelieved = jumpMs >= -JUMP_MS && jumpMs <= (isSameStart ? JUMP_MS : MAX_OFF_MS);
  return isBelieved ? undefined : jumpMs;
}

/** How far the wall clock went beyond the uptime. */
function differenceMs(from: ClockReading, to: ClockReading): number {
  return to.wallMs - from.wallMs - (to.uptimeMs - from.uptimeMs);
}
