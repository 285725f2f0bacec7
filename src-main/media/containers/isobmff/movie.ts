import type { FormatProblem } from '../../access-unit.ts';
import { ticksToMs } from '../../timing/ticks.ts';
import { bodyOf, findBox, readBoxes } from './box.ts';
import type { InBandRecords, InBandTrack } from './in-band-records.ts';
import { readMovieHeader } from './movie-header.ts';
import { readMovieTrack, type MovieTrack } from './movie-track.ts';
import { readTrackExtends, type TrackExtends } from './track-extends.ts';

/** Content of `moov`. */
export interface Movie {
  readonly tracks: readonly MovieTrack[];
  /** Whether fragments (`moof`) may follow. */
  readonly isFragmented: boolean;
  readonly problems: readonly FormatProblem[];
  /** Tracks that need parameter sets from their samples; their problems are among `problems`. */
  readonly inBand: readonly InBandTrack[];
  /** Size of its tables, which stay in memory with it. */
  readonly sizeBytes: number;
  /** Duration of the whole file in milliseconds, if its header states one. */
  readonly durationMs?: number;
}

/** Maximum size of `moov`. Its tables stay in memory while the file is played. */
export const MAX_MOOV_BYTES = 64 << 20;

/** Maximum number of tracks read from a file. */
const MAX_TRACKS = 32;

/**
 * Reads a complete `moov` box with its header. The movie reads its tables in `bytes` later, so they must not change.
 *
 * @param records decoder configuration records that replace those of the sample entries
 */
export function readMovie(bytes: Uint8Array, records?: InBandRecords): Movie | undefined {
  const moov = findBox(bytes, ['moov']);
  if (!moov) return undefined;
  const boxes = readBoxes(bytes, moov.bodyStart, moov.end);
  const headerBox = boxes.find((box) => box.type === 'mvhd');
  const header = headerBox && readMovieHeader(bodyOf(bytes, headerBox));
  const mvex = boxes.find((box) => box.type === 'mvex');
  const defaults = mvex ? readBoxes(bytes, mvex.bodyStart, mvex.end).filter((box) => box.type === 'trex') : [];
  const allExtends = defaults.map((box) => readTrackExtends(bodyOf(bytes, box)));
  const extendsOf = (trackId: number): TrackExtends | undefined =>
    allExtends.find((value) => value?.trackId === trackId);
  const tracks: MovieTrack[] = [];
  const problems: FormatProblem[] = [];
  const inBand: InBandTrack[] = [];
  for (const trak of boxes.filter((box) => box.type === 'trak').slice(0, MAX_TRACKS)) {
    const found = readMovieTrack(bytes, trak, header?.timescale ?? 1000, tracks, { records, extendsOf });
    if (found === undefined) continue;
    if ('problem' in found) {
      problems.push(found.problem);
      const trex = found.inBand && extendsOf(found.inBand.fileTrackId);
      if (found.inBand) inBand.push(trex ? { ...found.inBand, defaults: trex } : found.inBand);
      continue;
    }
    const trex = extendsOf(found.fileTrackId);
    tracks.push(trex ? { ...found, defaults: trex } : found);
  }
  const durationMs = header && header.durationTicks > 0 ? ticksToMs(header.durationTicks, header.timescale) : undefined;
  const isFragmented = mvex !== undefined;
  return {
    tracks,
    isFragmented,
    problems,
    inBand,
    sizeBytes: bytes.length,
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}
