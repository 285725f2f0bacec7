import type { Log, LogFields } from './log.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** A log with one line a message on standard error: time, level, message, facts as `name=value`. */
export function consoleLog(level: string): Log {
  const least = Math.max(
    0,
    LEVELS.findIndex((name) => name === level),
  );
  const write =
    (name: (typeof LEVELS)[number]) =>
    (message: string, fields: LogFields = {}): void => {
      if (LEVELS.indexOf(name) < least) return;
      const facts = Object.entries(fields).flatMap(([key, value]) =>
        value === undefined ? [] : [` ${key}=${JSON.stringify(value)}`],
      );
      process.stderr.write(`${new Date().toISOString()} ${name} ${message}${facts.join('')}\n`);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
