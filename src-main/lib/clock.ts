/** Source of wall time and timers. Only the composition root creates a real one. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a monotonic clock; absent if `now` never steps, as in tests. */
  elapsed?(): number;
  /** Calls back once after `delayMs`; returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Clock of the machine. Its timers do not keep the process alive. */
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

/**
 * Clock that is read once per turn of the event loop. Media that arrives in one turn gets the same time, and hundreds of
 * readings are saved. It cannot measure durations within a turn.
 */
export function turnClock(clock: Clock): Clock {
  let isRead = false;
  let nowMs = 0;
  let elapsedMs = 0;
  const read = (): void => {
    isRead = true;
    nowMs = clock.now();
    elapsedMs = clock.elapsed?.() ?? nowMs;
    queueMicrotask(() => {
      isRead = false;
    });
  };
  return {
    now: () => {
      if (!isRead) read();
      return nowMs;
    },
    elapsed: () => {
      if (!isRead) read();
      return elapsedMs;
    },
    after: (delayMs, callback) => clock.after(delayMs, callback),
  };
}

const MINUTE_MS = 60_000;
/** Cached text of the last printed minute, because many times of the same minute are printed in a row. */
let minute = { startMs: Number.NaN, text: '' };

/** Prints a wall time in UTC (ISO 8601, RFC 3339): `2026-11-22T09:21:52.000Z`. */
export function isoTime(epochMs: number): string {
  const startMs = Math.floor(epochMs / MINUTE_MS) * MINUTE_MS;
  if (startMs !== minute.startMs) {
    // Removes the seconds and milliseconds.
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

/** Prints a wall time for a file name, valid on every system: `2026-11-22T09-21-52-000Z`. */
export function timeInFileName(epochMs: number): string {
  return isoTime(epochMs).replace(/[:.]/g, '-');
}
