/** The source of wall time and of timers. Only the composition root makes a real one. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once after `delayMs`; returns the function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The clock of the machine. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** A wall time in UTC as machines and people read it (ISO 8601, RFC 3339): `2026-11-22T09:21:52.000Z`. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The same as a part of a file name, on every system: `2026-11-22T09-21-52-000Z`. */
export function timeInFileName(epochMs: number): string {
  return isoTime(epochMs).replace(/[:.]/g, '-');
}
