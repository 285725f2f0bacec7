import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem } from '../../access-unit.ts';
import { encryptedProblem, leftOutProblem } from '../../left-out.ts';
import { lengthSizeOf, type LengthSize } from '../../codecs/nal/length-prefixed.ts';
import type { TrackOptions } from '../../codecs/track-options.ts';
import type { Track } from '../../track.ts';
import { findBox, readBoxes, type Box } from './box.ts';
import { readSampleEntry, type SampleEntry, type UnknownSampleEntry } from './sample-entry.ts';
import { trackOfSampleEntry } from './track-of-sample-entry.ts';

/** Maximum number of sample descriptions read per track. */
const MAX_DESCRIPTIONS = 256;

/** Sample descriptions of a track (ISO/IEC 14496-12, 8.5.2) that are read, in order; a damaged one is undefined. */
export function sampleEntries(bytes: Uint8Array, stbl: Box): (SampleEntry | UnknownSampleEntry | undefined)[] {
  const stsd = findBox(bytes, ['stsd'], stbl.bodyStart, stbl.end);
  if (!stsd) return [];
  const boxes = readBoxes(bytes, stsd.bodyStart + 8, stsd.end).slice(0, MAX_DESCRIPTIONS);
  return boxes.map(({ start, end }) => readSampleEntry(bytes, start, end));
}

/** Problem of an entry with an unsupported coding, or of encrypted samples. */
export function entryProblem(
  { type, isEncrypted }: UnknownSampleEntry,
  handlerType: 'vide' | 'soun',
  trackId: number,
): FormatProblem {
  const content = handlerType === 'vide' ? 'video' : 'audio';
  const position = because('place_track', { track: trackId });
  return isEncrypted ? encryptedProblem(content, type, position) : leftOutProblem(content, type, position);
}

/** Formats of the entries that can continue the track of the first one, with their numbers. */
export function sameKind(
  entries: readonly (SampleEntry | UnknownSampleEntry | undefined)[],
  first: SampleEntry,
  options: TrackOptions,
): readonly (readonly [number, Track])[] {
  return entries.flatMap((entry, index) => {
    if (entry === undefined || entry.content === 'unknown' || entry.content !== first.content) return [];
    const isOther = isH264(entry) !== isH264(first) || nalLengthBytes(entry) !== nalLengthBytes(first);
    const track = entry.content === 'video' && isOther ? undefined : trackOfSampleEntry(entry, options);
    return track ? [[index + 1, track] as const] : [];
  });
}

/** Size of the length before every NAL unit; 4 for audio, which has no NAL units. */
export function nalLengthBytes(entry: SampleEntry): LengthSize {
  const size = entry.content === 'audio' ? 4 : lengthSizeOf(entry.config, isH264(entry) ? 'h264' : 'h265');
  return size === 3 ? 4 : size;
}

export function isH264({ type }: SampleEntry): boolean {
  return type === 'avc1' || type === 'avc3';
}
