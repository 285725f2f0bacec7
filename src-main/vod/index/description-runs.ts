import { inBandSets } from '../../media/codecs/nal/in-band-sets.ts';
import type { MovieTrack } from '../../media/containers/isobmff/movie-track.ts';
import type { DescribedCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import { isSameDecoder } from '../../media/codecs/nal/same-decoder.ts';
import { isSameFormat, type Track } from '../../media/track.ts';
import type { FormatRun, SetsRun } from './track-facts.ts';

/** Maximum number of changes of format in a track. */
const MAX_FORMATS = 1000;

/** Consecutive samples that share a sample description. */
export interface DescriptionRun {
  readonly first: number;
  readonly index: number;
}

/** Divides the samples of a track into runs with the same sample description. */
export function descriptionsOf(cursor: DescribedCursor): DescriptionRun[] {
  const runs: DescriptionRun[] = [];
  for (let first = 0; cursor.next(); first++)
    if (runs.at(-1)?.index !== cursor.descriptionIndex) runs.push({ first, index: cursor.descriptionIndex });
  return runs;
}

/** Changes of format that need another decoder. Formats that cannot be read are left out. */
export function formatsOf(
  { descriptions }: MovieTrack,
  runs: readonly DescriptionRun[],
  firstTrack: Track,
): FormatRun[] {
  const formats: FormatRun[] = [];
  let last = firstTrack;
  for (const { first, index } of runs) {
    const track = descriptions?.get(index);
    if (!track || formats.length >= MAX_FORMATS || !needsOtherDecoder(last, track)) continue;
    last = track;
    formats.push({ first, track: { ...track, timescale: firstTrack.timescale } });
  }
  return formats;
}

function needsOtherDecoder(a: Track, b: Track): boolean {
  if (a.content === 'video' && b.content === 'video') return !isSameDecoder(a, b);
  // The format of MPEG audio is stated only in its frames.
  return !isSameFormat(a, b) && b.codec !== 'mp3';
}

/**
 * Parameter sets to insert so that samples of several descriptions can be decoded as one track; undefined if the track is not
 * video or has one description only.
 */
export function setsOf({ track, descriptions }: MovieTrack, runs: readonly DescriptionRun[]): SetsRun[] | undefined {
  if (track.content !== 'video' || !descriptions || runs.length < 2) return undefined;
  return runs.flatMap(({ first, index }) => {
    const described = descriptions.get(index);
    const sets = described?.content === 'video' ? inBandSets(described) : undefined;
    return sets ? [{ first, bytes: sets.bytes }] : [];
  });
}
