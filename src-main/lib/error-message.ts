import { because, type Explained, type Explanation } from '../../src-preload/contract/explanations/explanations.ts';

/** Text of a thrown value for a log, an event or an operator: the message of an error, otherwise the value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Text and stack of a thrown value, for the log of an unexpected error. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Error with an explanation: a code with facts, which interfaces translate. */
export class ExplainedError extends Error {
  readonly explanation: Explanation | undefined;

  constructor({ detail, explanation }: Explained) {
    super(detail);
    this.explanation = explanation;
  }
}

/** Explains a failed request to a host. The host is added unless the message of the system contains it. */
export function hostFailure(host: string, error: unknown): Explained {
  const explanation = explained(error);
  return explanation.detail.includes(host) ? explanation : because('host_failed', { host, explanation });
}

/** Text of a thrown value as in `messageOf`, with the explanation if the error has one. */
export function explained(error: unknown): Explained {
  const explanation =
    error instanceof Error && 'explanation' in error ? (error.explanation as Explanation | undefined) : undefined;
  return { detail: messageOf(error), ...(explanation ? { explanation } : {}) };
}
