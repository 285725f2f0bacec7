import { trackNumber, type Track } from '../../track.ts';
import { BoxWriter } from './box-writer.ts';
import { ObjectType } from './es-descriptor.ts';
import { writeFileType } from './file-type.ts';
import { writeHandler } from './handler.ts';
import { writeMediaHeader } from './media-header.ts';
import { writeMovieHeader } from './movie-header.ts';
import { writeSampleEntry } from './sample-entry.ts';
import type { SampleEntry } from './sample-entry.ts';
import { writeTrackExtends } from './track-extends.ts';
import { LOW_RATES_BELOW } from './track-of-sample-entry.ts';
import { writeTrackHeader } from './track-header.ts';

/**
 * Writes the init segment (`ftyp` and `moov`) of one track, or of several whose chunks lie in one file: each with its own timescale, and
 * the number of `trackNumber` that its chunks have.
 */
export function writeInitSegment(...tracks: readonly [Track, ...Track[]]): Uint8Array {
  const out = new BoxWriter();
  writeFileType(out, { majorBrand: 'cmfc', minorVersion: 0, compatibleBrands: ['cmfc', 'iso6', 'mp41'] });
  out.open('moov');
  const nextTrackId = Math.max(...tracks.map(({ id }) => trackNumber(id))) + 1;
  writeMovieHeader(out, { timescale: tracks[0].timescale, durationTicks: 0, nextTrackId });
  for (const track of tracks) writeTrack(out, track);
  out.open('mvex');
  // Every chunk says its defaults itself, so that it can be read without the init segment.
  for (const { id } of tracks)
    writeTrackExtends(out, {
      trackId: trackNumber(id),
      sampleDescriptionIndex: 1,
      sampleDurationTicks: 0,
      sampleSizeBytes: 0,
      sampleFlags: 0,
    });
  return out.close().close().finish();
}

function writeTrack(out: BoxWriter, track: Track): void {
  const isVideo = track.content === 'video';
  out.open('trak');
  writeTrackHeader(out, {
    trackId: trackNumber(track.id),
    isEnabled: true,
    durationTicks: 0,
    isAudio: !isVideo,
    displayWidth: isVideo ? (track.width * track.sarWidth) / track.sarHeight : 0,
    displayHeight: isVideo ? track.height : 0,
  });
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
  // Media data lies in the same file (8.7.2).
  out.open('dinf').openFull('dref', 0, 0).u32(1).openFull('url ', 0, 1).close().close().close();
  writeSampleTables(out, sampleEntryOfTrack(track));
  out.close().close().close();
}

function writeSampleTables(out: BoxWriter, entry: SampleEntry): void {
  out.open('stbl').openFull('stsd', 0, 0).u32(1);
  writeSampleEntry(out, entry);
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
    objectType = track.sampleRate < LOW_RATES_BELOW ? ObjectType.mpeg2Audio : ObjectType.mpeg1Audio;
  const { channels, sampleRate } = track;
  return { content: 'audio', type: AUDIO_TYPES[track.codec], channels, sampleRate, objectType, config };
}
