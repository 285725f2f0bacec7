import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem } from '../../access-unit.ts';
import { Unroller } from '../../timing/unroll.ts';
import { TIMESTAMP_WRAP_TICKS } from './packet.ts';

/** Maximum time between two clock references (ISO/IEC 13818-1, 2.7.2; ETSI TR 101 290, 5.2.2, 2.3a), in 90 kHz ticks. */
const MAX_STEP_TICKS = 9000;
/** Maximum lateness of a reference in 90 kHz ticks; a longer step is a jump. */
const MAX_LATE_TICKS = 90_000;

/** Clock of a programme: unrolls its time stamps, and optionally checks that its references (PCR) are frequent and continuous. */
export class ProgramClock extends Unroller {
  readonly #isWatched: boolean;
  #lastReference: number | undefined;
  /** First time of each source, minus the media time that had already passed then. */
  readonly #starts = new Map<number, number>();
  #passedTicks = 0;

  /** @param isWatched whether late and jumping references are detected */
  constructor(isWatched: boolean) {
    super();
    this.#isWatched = isWatched;
  }

  /**
   * Processes the next reference in 90 kHz ticks.
   *
   * @param isAnnounced whether the stream announces a change of time here
   * @returns the fault, if any
   */
  reference(ticks: number, isAnnounced: boolean): FormatProblem | undefined {
    const last = this.#lastReference;
    this.#lastReference = ticks;
    if (!this.#isWatched || last === undefined || isAnnounced) return undefined;
    const step = ticks >= last ? ticks - last : ticks - last + TIMESTAMP_WRAP_TICKS;
    if (step <= MAX_STEP_TICKS) return undefined;
    if (step <= MAX_LATE_TICKS)
      return {
        code: 'ts_pcr_late',
        ...because('ts_clock_late', { ms: Math.round(step / 90) }),
      };
    const jump = step > TIMESTAMP_WRAP_TICKS / 2 ? step - TIMESTAMP_WRAP_TICKS : step;
    return {
      code: 'ts_pcr_jump',
      ...because('ts_clock_jumped', { ms: Math.round(jump / 90) }),
    };
  }

  /**
   * Media time that has passed since the start. Each source counts from its own first time, because the clock of a track may be
   * hours off.
   *
   * @param source packet identifier of a track, or -1 for clock references
   */
  passed(source: number, ticks: number): number {
    const start = Math.min(this.#starts.get(source) ?? ticks - this.#passedTicks, ticks);
    this.#starts.set(source, start);
    return (this.#passedTicks = Math.max(this.#passedTicks, ticks - start));
  }

  /** Marks that the next reference does not continue the last one. */
  interrupt(): void {
    this.#lastReference = undefined;
  }
}
