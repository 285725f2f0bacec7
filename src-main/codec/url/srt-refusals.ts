import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';

/** Reason why a listener refused a caller. */
export interface SrtRefusal extends Explained {
  readonly code: 'publish_bad_password';
}

/**
 * Line that libsrt prints when a listener refuses a caller, with the code of its answer: 1000 plus the reason
 * (SRT_REJECT_REASON). It names neither the port nor the caller, but a process has one listener only.
 */
const ANSWER = /rsp\(REJECT\): 10(10|11)\b/;
const REASONS: Readonly<Record<string, Explained>> = {
  10: because('srt_caller_passphrase'),
  11: because('srt_caller_encryption'),
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

  /** Processes the next text, which may be cut anywhere. */
  push(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = (lines.pop() ?? '').slice(-MAX_LINE);
    for (const line of lines) {
      const reason = REASONS[ANSWER.exec(line)?.[1] ?? ''];
      if (reason) this.#refused({ code: 'publish_bad_password', ...reason });
    }
  }
}
