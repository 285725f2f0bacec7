import type { FormatProblem } from '../../access-unit.ts';
import { Unroller } from '../../timing/unroll.ts';
import { TIMESTAMP_WRAP_TICKS } from './packet.ts';

/** Longest time between two clock references (ISO/IEC 13818-1, 2.7.2; ETSI TR 101 290, 5.2.2, 2.3a), in 90 kHz ticks. */
const MAX_STEP_TICKS = 9000;
/** A longer step is no late reference, but another time. */
const LATE_TICKS = 90_000;

/** The clock of a programme: its time stamps unrolled, and where wanted whether its references (PCR) come often enough and go on without a jump. */
export class ProgramClock extends Unroller {
  readonly #isWatched: boolean;
  #lastReference: number | undefined;

  /** @param isWatched whether references that are late or jump are found */
  constructor(isWatched: boolean) {
    super();
    this.#isWatched = isWatched;
  }

  /** Takes the next reference, in 90 kHz ticks. @param isAnnounced whether the stream says that the time changes here @returns what is wrong with it */
  reference(ticks: number, isAnnounced: boolean): FormatProblem | undefined {
    const last = this.#lastReference;
    this.#lastReference = ticks;
    if (!this.#isWatched || last === undefined || isAnnounced) return undefined;
    const step = ticks >= last ? ticks - last : ticks - last + TIMESTAMP_WRAP_TICKS;
    if (step <= MAX_STEP_TICKS) return undefined;
    if (step <= LATE_TICKS)
      return {
        code: 'ts_pcr_late',
        detail: `The clock reference (PCR) came after ${Math.round(step / 90)} ms, at most 100 are allowed`,
      };
    const jump = step > TIMESTAMP_WRAP_TICKS / 2 ? step - TIMESTAMP_WRAP_TICKS : step;
    return {
      code: 'ts_pcr_jump',
      detail: `The clock reference (PCR) jumped by ${Math.round(jump / 90)} ms, and the stream does not say so`,
    };
  }

  /** The next reference does not continue the last one. */
  interrupt(): void {
    this.#lastReference = undefined;
  }
}
