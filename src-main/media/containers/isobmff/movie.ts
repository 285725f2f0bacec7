import type { FormatProblem } from '../../access-unit.ts';
import { ticksToMs } from '../../timing/ticks.ts';
import { bodyOf, findBox, readBoxes } from './box.ts';
import type { InBandRecords, InBandTrack } from './in-band-records.ts';
import { readMovieHeader } from './movie-header.ts';
import { readMovieTrack, type MovieTrack } from './movie-track.ts';
import { readTrackExtends, type TrackExtends } from './track-extends.ts';

/** What `moov` says about a file. */
export interface Movie {
  readonly tracks: readonly MovieTrack[];
  /** Whether fragments (`moof`) may follow. */
  readonly isFragmented: boolean;
  readonly problems: readonly FormatProblem[];
  /** Tracks that need the parameter sets of their samples to be played; their problems are among `problems`. */
  readonly inBand: readonly InBandTrack[];
  /** Bytes of its tables, which stay in memory with it. */
  readonly sizeBytes: number;
  /** Length of the whole file in milliseconds, where its header says one. */
  readonly durationMs?: number;
}

/** Bytes that `moov` may have. Its tables stay in memory while the file is played. */
export const MAX_MOOV_BYTES = 64 << 20;

/** Tracks of a file that are looked at. */
const MAX_TRACKS = 32;

/**
 * Reads a whole `moov` box, header and all. The movie reads its tables in `bytes` later: they stay as they are.
 *
 * @param records decoder configuration records that take the place of those of the sample entries
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
