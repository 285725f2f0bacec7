import type { Track } from '../../track.ts';

/** Writes the init segment (`ftyp` and `moov`) of one track, as track 1 with the timescale of the track. */
export function writeInitSegment(track: Track): Uint8Array {
  throw new Error(`No init segment of ${track.id} yet.`);
}
