import type { FormatProblem } from '../../access-unit.ts';
import { ticksToMs } from '../../timing/ticks.ts';
import type { Track } from '../../track.ts';
import type { Box } from './box.ts';
import { findBox, readBoxes } from './box.ts';
import { ByteReader } from './byte-reader.ts';
import { readEditStart } from './edit-list.ts';
import { readHandler } from './handler.ts';
import { readMediaHeader } from './media-header.ts';
import type { MediaHeader } from './media-header.ts';
import { readMovieHeader } from './movie-header.ts';
import { readSampleEntry } from './sample-entry.ts';
import type { SampleEntry, UnknownSampleEntry } from './sample-entry.ts';
import { TableCursor } from './sample-cursor.ts';
import { readTrackExtends } from './track-extends.ts';
import type { TrackExtends } from './track-extends.ts';
import { readTrackHeader } from './track-header.ts';
import { trackOfSampleEntry } from './track-of-sample-entry.ts';

/** One track of an MP4 file that Airdesk can play. */
export interface MovieTrack {
  /** `track_ID` in the file. */
  readonly fileTrackId: number;
  readonly track: Track;
  /** Ticks per second of the times in the file. */
  readonly timescale: number;
  /** What the edit list adds to every time, in the same ticks. */
  readonly shiftTicks: number;
  /** Bytes of the length in front of every NAL unit; 4 for audio, where it means nothing. */
  readonly nalLengthBytes: 1 | 2 | 4;
  /** Defaults of fragments; absent in files that have none. */
  readonly defaults?: TrackExtends;
  /** A new walk over the samples that `moov` itself lists. */
  samples(): TableCursor;
}

/** What `moov` says about a file. */
export interface Movie {
  readonly tracks: readonly MovieTrack[];
  /** Whether fragments (`moof`) may follow. */
  readonly isFragmented: boolean;
  readonly problems: readonly FormatProblem[];
  /** Length of the whole file in milliseconds, where its header says one. */
  readonly durationMs?: number;
}

/** Bytes that `moov` may have. Its tables stay in memory while the file is played. */
export const MOST_MOOV_BYTES = 64 << 20;

/** Tracks of a file that are looked at. */
const MOST_TRACKS = 32;

/** Reads a whole `moov` box, header and all. The movie reads its tables in `bytes` later: they stay as they are. */
export function readMovie(bytes: Uint8Array): Movie | undefined {
  const moov = findBox(bytes, ['moov']);
  if (!moov) return undefined;
  const boxes = readBoxes(bytes, moov.bodyStart, moov.end);
  const headerBox = boxes.find((box) => box.type === 'mvhd');
  const header = headerBox && readMovieHeader(reader(bytes, headerBox));
  const mvex = boxes.find((box) => box.type === 'mvex');
  const defaults = mvex ? readBoxes(bytes, mvex.bodyStart, mvex.end).filter((box) => box.type === 'trex') : [];
  const extendsOf = defaults.map((box) => readTrackExtends(reader(bytes, box)));
  const tracks: MovieTrack[] = [];
  const problems: FormatProblem[] = [];
  for (const trak of boxes.filter((box) => box.type === 'trak').slice(0, MOST_TRACKS)) {
    const found = readTrack(bytes, trak, header?.timescale ?? 1000, tracks);
    if (found === undefined) continue;
    if ('code' in found) {
      problems.push(found);
      continue;
    }
    const trex = extendsOf.find((value) => value?.trackId === found.fileTrackId);
    tracks.push(trex ? { ...found, defaults: trex } : found);
  }
  const durationMs = header && header.durationTicks > 0 ? ticksToMs(header.durationTicks, header.timescale) : undefined;
  return { tracks, isFragmented: mvex !== undefined, problems, ...(durationMs === undefined ? {} : { durationMs }) };
}

function reader(bytes: Uint8Array, box: Box): ByteReader {
  return new ByteReader(bytes, box.bodyStart, box.end);
}

/** One `trak`: a track, a problem, or nothing where it is neither audio nor video. */
function readTrack(
  bytes: Uint8Array,
  trak: Box,
  movieTimescale: number,
  before: readonly MovieTrack[],
): MovieTrack | FormatProblem | undefined {
  const find = (...path: string[]): Box | undefined => findBox(bytes, path, trak.bodyStart, trak.end);
  const handlerBox = find('mdia', 'hdlr');
  const handlerType = handlerBox && readHandler(reader(bytes, handlerBox))?.handlerType;
  if (handlerType !== 'vide' && handlerType !== 'soun') return undefined;
  const [tkhd, mdhd, stbl] = [find('tkhd'), find('mdia', 'mdhd'), find('mdia', 'minf', 'stbl')];
  const head = tkhd && readTrackHeader(reader(bytes, tkhd));
  const media = mdhd && readMediaHeader(reader(bytes, mdhd));
  const entry = stbl && firstEntry(bytes, stbl);
  if (!head || !media || !entry)
    return { code: 'mp4_bad_box', detail: `A ${handlerType} track lacks what says how it is coded.` };
  if (entry.content === 'unknown')
    return { code: 'codec_unknown', detail: `Track ${head.trackId} is coded as ${entry.type}.` };
  const prefix = entry.content === 'video' ? 'v' : 'a';
  const trackId = `${prefix}${before.filter((other) => other.track.content === entry.content).length + 1}`;
  const language = media.language === undefined ? {} : { language: media.language };
  const track = trackOfSampleEntry(entry, { trackId, sourceId: head.trackId, ...language });
  if (!track)
    return {
      code: 'codec_bad_config',
      detail: `The configuration of track ${head.trackId} (${entry.type}) cannot be read.`,
    };
  const elst = find('edts', 'elst');
  const edit = elst ? readEditStart(reader(bytes, elst)) : { delayTicks: 0, mediaTicks: 0 };
  return {
    fileTrackId: head.trackId,
    track: withPace(track, media, new TableCursor(bytes, stbl)),
    timescale: media.timescale,
    shiftTicks: Math.round((edit.delayTicks * media.timescale) / movieTimescale) - edit.mediaTicks,
    nalLengthBytes: nalLengthBytes(entry),
    samples: () => new TableCursor(bytes, stbl),
  };
}

function firstEntry(bytes: Uint8Array, stbl: Box): SampleEntry | UnknownSampleEntry | undefined {
  const stsd = findBox(bytes, ['stsd'], stbl.bodyStart, stbl.end);
  return stsd && readSampleEntry(bytes, stsd.bodyStart + 8, stsd.end);
}

/** The track with what only the times of its samples say: frame rate and length of an Opus frame. */
function withPace(track: Track, media: MediaHeader, cursor: TableCursor): Track {
  if (!cursor.next() || cursor.durationTicks === 0) return track;
  if (track.content === 'audio') {
    const samplesPerFrame = Math.round((cursor.durationTicks * track.sampleRate) / media.timescale);
    return track.codec === 'opus' ? { ...track, samplesPerFrame } : track;
  }
  if (track.fps !== undefined || media.durationTicks === 0) return track;
  return { ...track, fps: Math.round((cursor.count * media.timescale * 1000) / media.durationTicks) / 1000 };
}

function nalLengthBytes(entry: SampleEntry): 1 | 2 | 4 {
  if (entry.content === 'audio') return 4;
  // lengthSizeMinusOne (ISO/IEC 14496-15, 5.3.3.1 and 8.3.3.1).
  const at = entry.type === 'avc1' || entry.type === 'avc3' ? 4 : 21;
  const minusOne = (entry.config[at] ?? 3) & 3;
  return minusOne === 0 ? 1 : minusOne === 1 ? 2 : 4;
}
