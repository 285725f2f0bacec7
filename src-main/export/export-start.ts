import type { Clock } from '../lib/clock.ts';

/** Delay after the start of the server before exports start, in milliseconds: streams come first. */
const START_DELAY_MS = 5000;
/** Interval of checks after the delay, and maximum wait for a stream that does not return, in milliseconds. */
const CHECK_MS = 500;
const MAX_WAIT_MS = 60_000;

/** Conditions for starting exports again. */
export interface ExportStart {
  readonly clock: Clock;
  /** Streams of the waiting exports. */
  readonly streams: () => readonly string[];
  /** Whether the archive of a stream has been repaired after a crash of the server. */
  readonly isChecked: (stream: string) => boolean;
  readonly start: () => void;
}

/**
 * Starts unfinished exports again after a restart, when the ends of their archives were checked. The last minute
 * before a crash is repaired when its stream is recorded again; an export that starts earlier would miss this minute.
 * @returns function that cancels the wait
 */
export function resumeExports({ clock, streams, isChecked, start: begin }: ExportStart): () => void {
  const latestMs = clock.now() + MAX_WAIT_MS;
  const check = (): void => {
    if (clock.now() >= latestMs || streams().every(isChecked)) begin();
    else cancel = clock.after(CHECK_MS, check);
  };
  let cancel = clock.after(START_DELAY_MS, check);
  return () => {
    cancel();
  };
}
