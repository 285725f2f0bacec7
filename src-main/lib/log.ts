/** Typed fields of a log message. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Log of a part of the server, for operators and developers. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** A log that discards all messages, for tests. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
