/** The source of wall time and of timers. Only the composition root makes a real one. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a monotonic clock; absent where `now` never steps, as in tests. */
  elapsed?(): number;
  /** Calls back once after `delayMs`; returns the function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The clock of the machine. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

const MINUTE_MS = 60_000;
/** The newest minute that was printed, and its text up to the seconds: times are asked for in their order, many of each minute. */
let minute = { startMs: Number.NaN, text: '' };

/** A wall time in UTC as machines and people read it (ISO 8601, RFC 3339): `2026-11-22T09:21:52.000Z`. */
export function isoTime(epochMs: number): string {
  const startMs = Math.floor(epochMs / MINUTE_MS) * MINUTE_MS;
  if (startMs !== minute.startMs) {
    // Without the seconds and what is behind them.
    const text = new Date(startMs).toISOString();
    minute = { startMs, text: text.slice(0, -7) };
  }
  const ms = Math.floor(epochMs - startMs);
  const seconds = Math.floor(ms / 1000);
  return `${minute.text}${twoDigits(seconds)}.${threeDigits(ms - seconds * 1000)}Z`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function threeDigits(value: number): string {
  return value < 100 ? `0${twoDigits(value)}` : String(value);
}

/** The same as a part of a file name, on every system: `2026-11-22T09-21-52-000Z`. */
export function timeInFileName(epochMs: number): string {
  return isoTime(epochMs).replace(/[:.]/g, '-');
}
