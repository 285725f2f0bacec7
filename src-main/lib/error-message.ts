/** What was thrown, in words for a log, an event or an operator: the message of an error, and anything else as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What was thrown and where, for the log of an unexpected error. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
