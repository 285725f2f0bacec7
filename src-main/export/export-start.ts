import type { Clock } from '../lib/clock.ts';

/** So long after the start of the server nothing begins, in milliseconds: the streams come first. */
const BEGIN_MS = 5000;
/** How often it is looked then, and how long it is waited for a stream that does not come back, in milliseconds. */
const LOOK_MS = 500;
const MAX_WAIT_MS = 60_000;

/** What is looked at before exports begin again. */
export interface ExportStart {
  readonly clock: Clock;
  /** Streams of the exports that wait. */
  readonly streams: () => readonly string[];
  /** Whether it was looked at what a killed server left of a stream. */
  readonly isKnown: (stream: string) => boolean;
  readonly begin: () => void;
}

/**
 * Lets exports that were not over when the server ended begin again, once the ends of the archives that they read are known: the newest minute of a server that was killed is repaired when its
 * stream is recorded again, and what reads the archive before that finds nothing there. @returns gives it up
 */
export function beginAgain({ clock, streams, isKnown, begin }: ExportStart): () => void {
  const latestMs = clock.now() + MAX_WAIT_MS;
  const look = (): void => {
    if (clock.now() >= latestMs || streams().every(isKnown)) begin();
    else cancel = clock.after(LOOK_MS, look);
  };
  let cancel = clock.after(BEGIN_MS, look);
  return () => {
    cancel();
  };
}
