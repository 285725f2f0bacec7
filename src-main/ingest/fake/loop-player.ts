import type { InputSink } from '../input.ts';
import type { PreparedLoop } from './prepared-loop.ts';

const TICKS_PER_MS = 90;
/** A player this far behind the clock (a machine that slept) or ahead of it (a clock that was set back) jumps. */
const MAX_APART_TICKS = 5000 * TICKS_PER_MS;

/** Plays a loop for ever, as fast as the clock goes. Its time stamps never fall and jump only when the clock does. */
export class LoopPlayer {
  readonly #loop: PreparedLoop;
  readonly #sink: Pick<InputSink, 'accessUnit' | 'received'>;
  /** The next access unit, and what its time stamps are counted from. */
  #next: number;
  #passTicks: number;
  #lastTicks: number;
  /** At this instant of the clock the input's own clock shows these ticks. */
  #anchorMs: number;
  #anchorTicks: number;

  /**
   * Starts with the next full second of the clock and the key frame that belongs to it, so that flash, beep and digits of
   * all test pictures agree with UTC where the loop is a whole number of seconds long.
   */
  constructor(loop: PreparedLoop, sink: Pick<InputSink, 'accessUnit' | 'received'>, nowMs: number) {
    this.#loop = loop;
    this.#sink = sink;
    this.#anchorMs = Math.ceil(nowMs / 1000) * 1000;
    this.#next = this.#keyFrameAt((this.#anchorMs * TICKS_PER_MS) % loop.loopTicks);
    // B-pictures decode before the loop starts; time stamps stay positive all the same.
    this.#passTicks = Math.max(0, -(loop.units[0]?.dtsTicks ?? 0));
    this.#anchorTicks = this.#lastTicks = this.#nextTicks;
  }

  /** An instant of the clock and the ticks that the input's own clock shows at it. */
  get anchor(): { readonly anchorMs: number; readonly anchorTicks: number } {
    return { anchorMs: this.#anchorMs, anchorTicks: this.#anchorTicks };
  }

  /** Decoding time of the newest access unit that was given. */
  get lastTicks(): number {
    return this.#lastTicks;
  }

  /** Decoding time of the next access unit. */
  get #nextTicks(): number {
    return this.#passTicks + (this.#loop.units[this.#next]?.dtsTicks ?? 0);
  }

  /** Gives everything that is due; says whether there was anything. */
  play(nowMs: number): boolean {
    let due = this.#anchorTicks + (nowMs - this.#anchorMs) * TICKS_PER_MS;
    const apart = due - this.#nextTicks;
    if (apart > MAX_APART_TICKS) {
      this.#jumpTo(due);
    } else if (apart < -MAX_APART_TICKS) {
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

  /** Goes on with the last key frame before `ticks`. */
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
