/** Facts that go with a log message. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Where a room writes what an operator or developer may want to read later. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** A log that keeps nothing, the default of tests. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
