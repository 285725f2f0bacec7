import { WorkTurns } from '../../lib/work-turns.ts';

/** Number of pieces of media that are made on request at the same time: each is read from disk for most of the time. */
const AT_ONCE = 4;

/** Turns of addresses at media that is made on request (TS and MP4 of files and archives), which costs the server thread some milliseconds each. */
export const madeOnRequest = new WorkTurns(AT_ONCE);
