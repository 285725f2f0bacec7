import type { InputSink } from '../input.ts';
import type { PreparedLoop } from './prepared-loop.ts';

const TICKS_PER_MS = 90;
/**
 * Maximum distance of a player from the clock. A player that is later than this, after a sleep of the machine, jumps
 * forward. A player that is earlier than this, because the clock was set back, continues at its position.
 */
const MAX_DISTANCE_TICKS = 5000 * TICKS_PER_MS;

/** Plays a loop endlessly at the pace of the clock. Its time stamps never decrease and jump only when the clock does. */
export class LoopPlayer {
  readonly #loop: PreparedLoop;
  readonly #sink: Pick<InputSink, 'accessUnit' | 'received'>;
  /** Index of the next access unit. */
  #next: number;
  /** Time of the start of the current pass, added to the times of its access units. */
  #passTicks: number;
  #lastTicks: number;
  /** Time of the clock at which the clock of the input has the value `#anchorTicks`. */
  #anchorMs: number;
  #anchorTicks: number;

  /**
   * Starts at the next full second of the clock with the key frame for it, so that flash, beep and digits of all test pictures
   * agree with UTC if the loop is a whole number of seconds long.
   */
  constructor(loop: PreparedLoop, sink: Pick<InputSink, 'accessUnit' | 'received'>, nowMs: number) {
    this.#loop = loop;
    this.#sink = sink;
    this.#anchorMs = Math.ceil(nowMs / 1000) * 1000;
    this.#next = this.#keyFrameAt((this.#anchorMs * TICKS_PER_MS) % loop.loopTicks);
    // With B-pictures, the first picture is decoded before the loop starts; this offset keeps time stamps positive.
    this.#passTicks = Math.max(0, -(loop.units[0]?.dtsTicks ?? 0));
    this.#anchorTicks = this.#lastTicks = this.#nextTicks;
  }

  /** Time of the clock, and the value of the clock of the input at that time, in ticks. */
  get anchor(): { readonly anchorMs: number; readonly anchorTicks: number } {
    return { anchorMs: this.#anchorMs, anchorTicks: this.#anchorTicks };
  }

  /** Decoding time of the newest emitted access unit. */
  get lastTicks(): number {
    return this.#lastTicks;
  }

  /** Decoding time of the next access unit. */
  get #nextTicks(): number {
    return this.#passTicks + (this.#loop.units[this.#next]?.dtsTicks ?? 0);
  }

  /** Emits all due access units; returns whether there were any. */
  play(nowMs: number): boolean {
    let due = this.#anchorTicks + (nowMs - this.#anchorMs) * TICKS_PER_MS;
    const distance = due - this.#nextTicks;
    if (distance > MAX_DISTANCE_TICKS) {
      this.#jumpTo(due);
    } else if (distance < -MAX_DISTANCE_TICKS) {
      this.#anchorMs = nowMs;
      this.#anchorTicks = due = this.#nextTicks;
    }
    const { units, loopTicks } = this.#loop;
    let bytes = 0;
    for (;;) {
      const unit = units[this.#next];
      if (!unit) {
        this.#next = 0;
        this.#passTicks += loopTicks;
        continue;
      }
      const dtsTicks = this.#passTicks + unit.dtsTicks;
      if (dtsTicks > due) break;
      this.#lastTicks = dtsTicks;
      this.#next++;
      bytes += unit.data.length;
      this.#sink.accessUnit({
        trackId: unit.trackId,
        dtsTicks,
        ptsTicks: this.#passTicks + unit.ptsTicks,
        isRandomAccess: unit.isRandomAccess,
        data: unit.data,
      });
    }
    if (bytes > 0) this.#sink.received(bytes);
    return bytes > 0;
  }

  /** Continues with the last key frame before `ticks`. */
  #jumpTo(ticks: number): void {
    const { loopTicks, units } = this.#loop;
    const passes = Math.floor((ticks - this.#passTicks - (units[0]?.dtsTicks ?? 0)) / loopTicks);
    this.#passTicks += passes * loopTicks;
    this.#next = this.#keyFrameAt(ticks - this.#passTicks);
  }

  #keyFrameAt(ticks: number): number {
    const { keyFrames, units } = this.#loop;
    const found = keyFrames.findLast((position) => (units[position]?.dtsTicks ?? 0) <= ticks);
    return found ?? keyFrames[0] ?? 0;
  }
}
