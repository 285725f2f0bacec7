import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem } from '../../access-unit.ts';
import type { Track } from '../../track.ts';
import type { Box } from './box.ts';
import { bodyOf, findBox } from './box.ts';
import { readEditStart, type EditStart } from './edit-list.ts';
import { readHandler } from './handler.ts';
import type { InBandRecords, InBandTrack } from './in-band-records.ts';
import { readMediaHeader } from './media-header.ts';
import type { MediaHeader } from './media-header.ts';
import { entryProblem, isH264, nalLengthBytes, sameKind, sampleEntries } from './sample-descriptions.ts';
import { findSampleTables, TableCursor, type SampleTables } from './sample-cursor.ts';
import type { TrackExtends } from './track-extends.ts';
import { readTrackHeader, withDisplay } from './track-header.ts';
import { trackOfSampleEntry } from './track-of-sample-entry.ts';

/** Playable track of an MP4 file. */
export interface MovieTrack {
  /** `track_ID` in the file. */
  readonly fileTrackId: number;
  readonly track: Track;
  /** Ticks per second of the times in the file. */
  readonly timescale: number;
  /** Added to all times by the edit list, in the same ticks. */
  readonly shiftTicks: number;
  /** End of the presentation by the edit list, as a shifted time in the same ticks; absent if not stated. */
  readonly endTicks?: number;
  /** Size of the length before every NAL unit; 4 for audio, which has no NAL units. */
  readonly nalLengthBytes: 1 | 2 | 4;
  /** Defaults of fragments; absent in files without any. */
  readonly defaults?: TrackExtends;
  /**
   * Formats by number of the sample description (ISO/IEC 14496-12, 8.5.2). Video descriptions of another codec, or with
   * another size of NAL unit lengths, are left out. Absent if the track has one description.
   */
  readonly descriptions?: ReadonlyMap<number, Track>;
  /** Samples listed in `moov`. */
  readonly tables: SampleTables;
  /** New cursor over the samples listed in `moov`. */
  samples(): TableCursor;
}

/** Unplayable track. */
export interface RefusedTrack {
  readonly problem: FormatProblem;
  /** Present for supported video whose sample entry has no usable parameter sets: its samples may have them. */
  readonly inBand?: InBandTrack;
}

export interface MovieTrackOptions {
  /** Decoder configuration records that replace those of the sample entries. */
  readonly records?: InBandRecords | undefined;
  /** Defaults for fragments by `track_ID`. */
  readonly extendsOf: (trackId: number) => TrackExtends | undefined;
}

/** Reads one `trak`: a track, a refused one, or undefined if it is neither audio nor video. */
export function readMovieTrack(
  bytes: Uint8Array,
  trak: Box,
  movieTimescale: number,
  before: readonly MovieTrack[],
  { records, extendsOf }: MovieTrackOptions,
): MovieTrack | RefusedTrack | undefined {
  const find = (...path: string[]): Box | undefined => findBox(bytes, path, trak.bodyStart, trak.end);
  const handlerBox = find('mdia', 'hdlr');
  const handlerType = handlerBox && readHandler(bodyOf(bytes, handlerBox))?.handlerType;
  if (handlerType !== 'vide' && handlerType !== 'soun') return undefined;
  const [tkhd, mdhd, stbl] = [find('tkhd'), find('mdia', 'mdhd'), find('mdia', 'minf', 'stbl')];
  const head = tkhd && readTrackHeader(bodyOf(bytes, tkhd));
  const media = mdhd && readMediaHeader(bodyOf(bytes, mdhd));
  const entries = stbl && head ? sampleEntries(bytes, stbl) : [];
  const entry = stbl && head && entries[firstDescription(bytes, stbl, extendsOf(head.trackId)) - 1];
  if (!head || !media || !entry)
    return refused({ code: 'mp4_bad_box', ...because('track_without_description', { type: handlerType }) });
  // A track that starts without encryption may continue with it.
  const encrypted = entries.find((one) => one?.content === 'unknown' && one.isEncrypted);
  if (encrypted?.content === 'unknown') return refused(entryProblem(encrypted, handlerType, head.trackId));
  if (entry.content === 'unknown') return refused(entryProblem(entry, handlerType, head.trackId));
  const tables = findSampleTables(bytes, stbl);
  const prefix = entry.content === 'video' ? 'v' : 'a';
  const trackId = `${prefix}${before.filter((other) => other.track.content === entry.content).length + 1}`;
  const language = media.language === undefined ? {} : { language: media.language };
  const record = records?.get(head.trackId);
  const options = { trackId, sourceId: head.trackId, ...language };
  const track = trackOfSampleEntry(record && entry.content === 'video' ? { ...entry, config: record } : entry, options);
  if (!track) {
    const problem: FormatProblem = {
      code: 'codec_bad_config',
      ...because('track_config_damaged', { track: head.trackId, format: entry.type }),
    };
    if (entry.content === 'audio') return refused(problem);
    const inBand: InBandTrack = {
      fileTrackId: head.trackId,
      codec: isH264(entry) ? 'h264' : 'h265',
      record: entry.config,
      nalLengthBytes: nalLengthBytes(entry),
      samples: () => new TableCursor(tables),
    };
    return { problem, inBand };
  }
  const elst = find('edts', 'elst');
  const edit: EditStart = elst ? readEditStart(bodyOf(bytes, elst)) : { delayTicks: 0, mediaTicks: 0 };
  const toMediaTicks = (movieTicks: number): number => Math.round((movieTicks * media.timescale) / movieTimescale);
  const complete = (one: Track): Track => withSampleTiming(withDisplay(one, head), media, new TableCursor(tables));
  return {
    fileTrackId: head.trackId,
    track: complete(track),
    timescale: media.timescale,
    shiftTicks: toMediaTicks(edit.delayTicks) - edit.mediaTicks,
    ...(edit.durationTicks === undefined ? {} : { endTicks: toMediaTicks(edit.delayTicks + edit.durationTicks) }),
    nalLengthBytes: nalLengthBytes(entry),
    ...(entries.length > 1
      ? { descriptions: new Map(sameKind(entries, entry, options).map(([number, one]) => [number, complete(one)])) }
      : {}),
    tables,
    samples: () => new TableCursor(tables),
  };
}

function refused(problem: FormatProblem): RefusedTrack {
  return { problem };
}

/** Number of the description of the first sample. */
function firstDescription(bytes: Uint8Array, stbl: Box, defaults: TrackExtends | undefined): number {
  const cursor = new TableCursor(findSampleTables(bytes, stbl));
  return (cursor.next() ? cursor.descriptionIndex : defaults?.sampleDescriptionIndex) || 1;
}

/** Track with the properties that follow from the times of its samples: frame rate, and duration of an Opus frame. */
function withSampleTiming(track: Track, media: MediaHeader, cursor: TableCursor): Track {
  if (!cursor.next() || cursor.durationTicks === 0) return track;
  if (track.content === 'audio') {
    const samplesPerFrame = Math.round((cursor.durationTicks * track.sampleRate) / media.timescale);
    return track.codec === 'opus' ? { ...track, samplesPerFrame } : track;
  }
  if (track.fps !== undefined || media.durationTicks === 0) return track;
  const frames = cursor.count / (track.isFieldSequence === true ? 2 : 1);
  return { ...track, fps: Math.round((frames * media.timescale * 1000) / media.durationTicks) / 1000 };
}
