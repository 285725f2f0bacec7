import type { Track } from '../../src-main/media/track.ts';
import { findBox, readBoxes } from '../../src-main/media/containers/isobmff/box.ts';
import { ByteReader } from '../../src-main/media/containers/isobmff/byte-reader.ts';
import { readMediaHeader } from '../../src-main/media/containers/isobmff/media-header.ts';
import { readSampleEntry } from '../../src-main/media/containers/isobmff/sample-entry.ts';
import { trackOfSampleEntry } from '../../src-main/media/containers/isobmff/track-of-sample-entry.ts';

/**
 * Reads an init segment with one track. Track ids are `v1` and `a1`; undefined if the bytes are not an init segment, or
 * the codec is not supported.
 */
export function readInitSegment(bytes: Uint8Array): Track | undefined {
  const media = findBox(bytes, ['moov', 'trak', 'mdia']);
  if (!media) return undefined;
  const headerBox = findBox(bytes, ['mdhd'], media.bodyStart, media.end);
  const table = findBox(bytes, ['minf', 'stbl', 'stsd'], media.bodyStart, media.end);
  const header = headerBox && readMediaHeader(new ByteReader(bytes, headerBox.bodyStart, headerBox.end));
  if (!header || !table) return undefined;
  const first = readBoxes(bytes, table.bodyStart + 8, table.end)[0];
  const entry = first && readSampleEntry(bytes, first.start, first.end);
  if (!entry || entry.content === 'unknown') return undefined;
  const track = trackOfSampleEntry(entry, {
    trackId: entry.content === 'video' ? 'v1' : 'a1',
    ...(header.language === undefined ? {} : { language: header.language }),
  });
  return track && { ...track, timescale: header.timescale };
}
