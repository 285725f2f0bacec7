import { trackNumber, type Track } from '../../track.ts';
import { BoxWriter } from './box-writer.ts';
import { writeEditStart } from './edit-list.ts';
import { ObjectType } from './es-descriptor.ts';
import { writeFileType } from './file-type.ts';
import { writeHandler } from './handler.ts';
import { writeMediaHeader } from './media-header.ts';
import { writeMovieHeader } from './movie-header.ts';
import { writeSampleEntry } from './sample-entry.ts';
import type { SampleEntry } from './sample-entry.ts';
import { writeTrackExtends } from './track-extends.ts';
import { MIN_MPEG1_SAMPLE_RATE } from './track-of-sample-entry.ts';
import { writeTrackHeader } from './track-header.ts';

/**
 * Writes the init segment (`ftyp` and `moov`) of one track, or of several whose chunks are in one file: each with its own
 * timescale, and the `trackNumber` that its chunks have.
 */
export function writeInitSegment(...tracks: readonly [Track, ...Track[]]): Uint8Array {
  return writeHead(tracks, {});
}

/** Properties of a presentation besides its tracks. */
export interface FileHeaderOptions {
  /** First presented media time in ticks of each track: later than 0 if pictures are decoded before they are shown. */
  readonly startTicks: readonly number[];
  /** Duration of the presentation in milliseconds; absent while unknown. */
  readonly durationMs?: number | undefined;
  /** Further sample descriptions by track id (8.5.2); default: only the description of the track. */
  readonly moreFormats?: ReadonlyMap<string, readonly Track[]>;
  /**
   * By track id, the number of earlier tracks that the track continues in another format. Players must not treat such a track
   * as an alternative to the earlier tracks: it is enabled even if they are. Default 0.
   */
  readonly generations?: ReadonlyMap<string, number>;
  /** Box `udta` for the end of `moov` (8.10.1); default: none. */
  readonly userData?: Uint8Array;
}

/**
 * Writes the start of a file whose chunks follow unchanged: an init segment with an edit list for each track (ISO/IEC 14496-12,
 * 8.6.6).
 */
export function writeFileHeader(tracks: readonly [Track, ...Track[]], options: FileHeaderOptions): Uint8Array {
  return writeHead(tracks, options);
}

/** A CMAF header has one track (ISO/IEC 23000-19, 7.3.1); a file with several tracks conforms to `iso6`, which has `tfdt`. */
const CMAF_BRANDS = { majorBrand: 'cmfc', minorVersion: 0, compatibleBrands: ['cmfc', 'iso6', 'mp41'] };
const FILE_BRANDS = { majorBrand: 'iso6', minorVersion: 0, compatibleBrands: ['iso6', 'mp41'] };

function writeHead(
  tracks: readonly [Track, ...Track[]],
  { startTicks, durationMs, moreFormats, generations, userData }: Partial<FileHeaderOptions>,
): Uint8Array {
  const out = new BoxWriter();
  writeFileType(out, tracks.length > 1 || startTicks ? FILE_BRANDS : CMAF_BRANDS);
  out.open('moov');
  const nextTrackId = Math.max(...tracks.map(({ id }) => trackNumber(id))) + 1;
  // The duration of a file is in milliseconds.
  const timescale = startTicks ? 1000 : tracks[0].timescale;
  writeMovieHeader(out, { timescale, durationTicks: 0, nextTrackId });
  for (const [index, track] of tracks.entries()) {
    const generation = generations?.get(track.id) ?? 0;
    const same = tracks.filter(
      ({ id, content }) => content === track.content && (generations?.get(id) ?? 0) === generation,
    );
    // A player shows one of several video tracks or audio languages, by default the first.
    const choice = {
      isEnabled: same[0] === track,
      alternateGroup: same.length < 2 ? 0 : 2 * generation + (track.content === 'video' ? 1 : 2),
    };
    writeTrack(out, [track, ...(moreFormats?.get(track.id) ?? [])], { ...choice, startTicks: startTicks?.[index] });
  }
  out.open('mvex');
  if (durationMs !== undefined) out.openFull('mehd', 1, 0).u64(durationMs).close();
  // Every chunk states its own defaults, so that it can be read without the init segment.
  for (const { id } of tracks)
    writeTrackExtends(out, {
      trackId: trackNumber(id),
      sampleDescriptionIndex: 1,
      sampleDurationTicks: 0,
      sampleSizeBytes: 0,
      sampleFlags: 0,
    });
  out.close();
  if (userData) out.bytes(userData);
  return out.close().finish();
}

/** Properties of a track besides its format. */
interface TrackOptions {
  readonly isEnabled: boolean;
  readonly alternateGroup: number;
  readonly startTicks: number | undefined;
}

function writeTrack(
  out: BoxWriter,
  formats: readonly [Track, ...Track[]],
  { startTicks, ...choice }: TrackOptions,
): void {
  const [track] = formats;
  const isVideo = track.content === 'video';
  out.open('trak');
  writeTrackHeader(out, {
    trackId: trackNumber(track.id),
    ...choice,
    durationTicks: 0,
    isAudio: !isVideo,
    displayWidth: isVideo ? (track.width * track.sarWidth) / track.sarHeight : 0,
    displayHeight: isVideo ? track.height : 0,
    ...(isVideo && track.displayMatrix ? { matrix: track.displayMatrix } : {}),
  });
  if (startTicks !== undefined) writeEditStart(out, startTicks);
  out.open('mdia');
  writeMediaHeader(out, {
    timescale: track.timescale,
    durationTicks: 0,
    ...(track.language === undefined ? {} : { language: track.language }),
  });
  writeHandler(out, isVideo ? { handlerType: 'vide', name: 'Video' } : { handlerType: 'soun', name: 'Audio' });
  out.open('minf');
  if (isVideo) out.openFull('vmhd', 0, 1).zeros(8).close();
  else out.openFull('smhd', 0, 0).zeros(4).close();
  // Media data is in the same file (8.7.2).
  out.open('dinf').openFull('dref', 0, 0).u32(1).openFull('url ', 0, 1).close().close().close();
  writeSampleTables(out, formats.map(sampleEntryOfTrack));
  out.close().close().close();
}

function writeSampleTables(out: BoxWriter, entries: readonly SampleEntry[]): void {
  out.open('stbl').openFull('stsd', 0, 0).u32(entries.length);
  for (const entry of entries) writeSampleEntry(out, entry);
  out.close();
  out.openFull('stts', 0, 0).u32(0).close();
  out.openFull('stsc', 0, 0).u32(0).close();
  out.openFull('stsz', 0, 0).u32(0).u32(0).close();
  out.openFull('stco', 0, 0).u32(0).close();
  out.close();
}

const AUDIO_TYPES = { aac: 'mp4a', mp2: 'mp4a', mp3: 'mp4a', ac3: 'ac-3', eac3: 'ec-3', opus: 'Opus' } as const;

function sampleEntryOfTrack(track: Track): SampleEntry {
  const config = track.decoderConfig;
  if (track.content === 'video') {
    const { width, height, sarWidth, sarHeight } = track;
    return {
      content: 'video',
      type: track.codec === 'h264' ? 'avc1' : 'hvc1',
      width,
      height,
      sarWidth,
      sarHeight,
      config,
    };
  }
  let objectType = 0;
  if (track.codec === 'aac') objectType = ObjectType.aac;
  if (track.codec === 'mp2' || track.codec === 'mp3')
    objectType = track.sampleRate < MIN_MPEG1_SAMPLE_RATE ? ObjectType.mpeg2Audio : ObjectType.mpeg1Audio;
  const { channels, sampleRate } = track;
  return { content: 'audio', type: AUDIO_TYPES[track.codec], channels, sampleRate, objectType, config };
}
