/** Text of a thrown value for a log, an event or an operator: the message of an error, otherwise the value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Text and stack of a thrown value, for the log of an unexpected error. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
