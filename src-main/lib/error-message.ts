import type { Explained, Explanation } from '../../src-preload/contract/explanations/explanations.ts';

/** Text of a thrown value for a log, an event or an operator: the message of an error, otherwise the value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Text and stack of a thrown value, for the log of an unexpected error. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Error that explains itself by code and facts, for other languages. */
export class ExplainedError extends Error {
  readonly explanation: Explanation | undefined;

  constructor({ detail, explanation }: Explained) {
    super(detail);
    this.explanation = explanation;
  }
}

/** Text of a thrown value as in `messageOf`, with the explanation if the error has one. */
export function explained(error: unknown): Explained {
  const explanation =
    error instanceof Error && 'explanation' in error ? (error.explanation as Explanation | undefined) : undefined;
  return { detail: messageOf(error), ...(explanation ? { explanation } : {}) };
}
