/** Reason why a listener refused a caller. */
export interface SrtRefusal {
  readonly code: 'publish_bad_password';
  readonly detail: string;
}

/**
 * Line that libsrt prints when a listener refuses a caller, with the code of its answer: 1000 and the reason
 * (SRT_REJECT_REASON). It names neither the port nor the caller, but a process has one listener only.
 */
const ANSWER = /rsp\(REJECT\): 10(10|11)\b/;
const DETAILS: Readonly<Record<string, string>> = {
  10: 'The passphrase of an SRT caller is wrong',
  11: 'An SRT caller has no passphrase and the input has one, or the other way round',
};
/** Maximum length of an incomplete line. */
const MAX_LINE = 1000;

/** Finds refused callers in the output of a process with an SRT listener; FFmpeg does not report them. */
export class SrtRefusals {
  readonly #refused: (refusal: SrtRefusal) => void;
  #line = '';

  constructor(refused: (refusal: SrtRefusal) => void) {
    this.#refused = refused;
  }

  /** Takes the next text, in pieces of any size. */
  hear(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = (lines.pop() ?? '').slice(-MAX_LINE);
    for (const line of lines) {
      const detail = DETAILS[ANSWER.exec(line)?.[1] ?? ''];
      if (detail !== undefined) this.#refused({ code: 'publish_bad_password', detail });
    }
  }
}
