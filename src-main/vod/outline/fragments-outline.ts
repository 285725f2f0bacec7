import { MAX_BOX_START_BYTES, readBoxStart } from '../../media/containers/isobmff/box.ts';
import { MAX_MOOF_BYTES, readFragments, type FragmentTrack } from '../../media/containers/isobmff/movie-fragment.ts';
import type { MovieTrack } from '../../media/containers/isobmff/movie-track.ts';
import {
  RANDOM_ACCESS_OFFSET_BYTES,
  readRandomAccess,
  readRandomAccessBytes,
  type RandomAccess,
} from '../../media/containers/isobmff/random-access.ts';
import { readSegmentIndex } from '../../media/containers/isobmff/segment-index.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';
import { openMovie } from '../../media/containers/isobmff/movie-file.ts';
import { leftOutOf } from '../index/left-out.ts';
import { ReadAhead } from '../index/read-ahead.ts';
import type { IndexedFile } from '../index/source-track.ts';
import type { FoundSample, Outline } from './outline.ts';
import { truncatedFile } from './truncated-file.ts';

/** Maximum number of boxes in a range, and before the first fragment. */
const MAX_BOXES = 20_000;
const MAX_FIRST_BOXES = 100;
/** Maximum size of an index box. */
const MAX_INDEX_BYTES = 4 << 20;

/** Track of a fragmented file, with its defaults for fragments. */
type FragmentedTrack = MovieTrack & { readonly defaults: NonNullable<MovieTrack['defaults']> };

/**
 * Outline of a fragmented MP4 by the index at its end (`mfra`) or start (`sidx`). Undefined without an index, or unless there is
 * exactly one video track.
 */
export async function fragmentsOutline(file: IndexedFile): Promise<Outline | undefined> {
  const movie = await openMovie(file);
  if (typeof movie === 'string' || !movie.isFragmented) return undefined;
  const tracks = movie.tracks.filter(isFragmented);
  const [leader, other] = tracks.filter(({ track }) => track.content === 'video');
  if (!leader || other || tracks.length < movie.tracks.length) return undefined;
  const places = (await pointsAtEnd(file, leader)) ?? (await pointsAtStart(file, leader));
  const [first, second] = places ?? [];
  if (!places || !first || !second) return undefined;
  const ordered = [leader, ...tracks.filter((one) => one !== leader)];
  const [pictures = []] = await readRange(file, ordered, 0, second.moofOffset);
  const [picture] = pictures;
  if (!picture) return undefined;
  // Writers choose different origins for these times: the start of the media, of the presentation, or another time.
  const differenceTicks = picture.ptsTicks - first.ticks;
  return {
    tracks: ordered.map(({ track, timescale }) => ({ track, timescale, shiftTicks: 0, file: file.media })),
    points: places.map(({ ticks, moofOffset }, index) => ({
      ptsTicks: ticks + differenceTicks,
      offset: index === 0 ? 0 : moofOffset,
      endOffset: moofOffset,
    })),
    hasDecodeTimes: true,
    pictures,
    leftOut: leftOutOf(movie),
    read: async (offset, endOffset) => readRange(file, ordered, offset, endOffset),
  };
}

/** Whether all samples of a track are in fragments, in served form. */
function isFragmented(track: MovieTrack): track is FragmentedTrack {
  const { codec, timescale } = track.track;
  // The format of MPEG audio is stated only in its frames.
  const isKnown =
    codec !== 'mp3' && timescale > 0 && track.timescale > 0 && track.nalLengthBytes === 4 && !track.descriptions;
  return isKnown && track.defaults !== undefined && !track.samples().next();
}

async function pointsAtEnd(file: FileBytes, { fileTrackId }: MovieTrack): Promise<readonly RandomAccess[] | undefined> {
  const tail = await bytesAt(file, file.sizeBytes - RANDOM_ACCESS_OFFSET_BYTES, RANDOM_ACCESS_OFFSET_BYTES);
  const length = tail && readRandomAccessBytes(tail);
  if (length === undefined || length > Math.min(MAX_INDEX_BYTES, file.sizeBytes)) return undefined;
  const bytes = await bytesAt(file, file.sizeBytes - length, length);
  return bytes && readRandomAccess(bytes, fileTrackId);
}

/** Points of the first `sidx`, if it lists only complete fragments that start with random access points. */
async function pointsAtStart(
  file: FileBytes,
  { fileTrackId, timescale }: MovieTrack,
): Promise<readonly RandomAccess[] | undefined> {
  for (let at = 0, step = 0; step < MAX_FIRST_BOXES; step++) {
    const head = await bytesAt(file, at, Math.min(MAX_BOX_START_BYTES, file.sizeBytes - at));
    const start = head && readBoxStart(head, 0);
    if (!start || start.sizeBytes === 0 || start.type === 'moof') return undefined;
    const bytes =
      start.type === 'sidx' && start.sizeBytes <= MAX_INDEX_BYTES
        ? await bytesAt(file, at, start.sizeBytes)
        : undefined;
    at += start.sizeBytes;
    const index = bytes && readSegmentIndex(bytes);
    if (index?.trackId !== fileTrackId || index.timescale !== timescale) continue;
    let [ticks, moofOffset] = [index.startTicks, at + index.firstOffset];
    const places: RandomAccess[] = [];
    for (const { sizeBytes, durationTicks, startsWithSync } of index.ranges) {
      if (startsWithSync) places.push({ ticks, moofOffset });
      ticks += durationTicks;
      moofOffset += sizeBytes;
    }
    return places;
  }
  return undefined;
}

/** Lists the samples of all fragments in a range. Unreadable fragments are skipped. */
async function readRange(
  file: FileBytes,
  tracks: readonly FragmentedTrack[],
  offset: number,
  endOffset: number,
): Promise<FoundSample[][]> {
  const range = truncatedFile(file, endOffset);
  const boxes = new ReadAhead(range);
  const found: FoundSample[][] = tracks.map(() => []);
  // A fragment without a decoding time cannot be placed.
  const known = tracks.map(({ defaults }): FragmentTrack => ({ defaults, startTicks: NaN }));
  for (let at = offset, step = 0; step < MAX_BOXES && at + 8 <= range.sizeBytes; step++) {
    const head = await boxes.view(at, Math.min(MAX_BOX_START_BYTES, range.sizeBytes - at));
    const start = head && readBoxStart(head, 0);
    if (!start || start.sizeBytes === 0) break;
    const isRead = start.type === 'moof' && start.sizeBytes <= MAX_MOOF_BYTES;
    const moof = isRead ? await boxes.view(at, start.sizeBytes) : undefined;
    const cursors = moof ? (readFragments(moof, at, known) ?? []) : [];
    for (const [index, cursor] of cursors.entries()) {
      const { shiftTicks } = tracks[index] as FragmentedTrack;
      while (cursor.next()) {
        const { offset: place, sizeBytes, compositionOffsetTicks, durationTicks, isSync } = cursor;
        const ptsTicks = cursor.dtsTicks + compositionOffsetTicks + shiftTicks;
        const dtsTicks = cursor.dtsTicks + cursor.minOffsetTicks + shiftTicks;
        found[index]?.push({ offset: place, sizeBytes, ptsTicks, dtsTicks, durationTicks, isSync });
      }
    }
    at += start.sizeBytes;
  }
  return found;
}

async function bytesAt(file: FileBytes, offset: number, length: number): Promise<Uint8Array | undefined> {
  if (offset < 0 || length <= 0) return undefined;
  const bytes = new Uint8Array(length);
  return (await file.read(bytes, offset)) === length ? bytes : undefined;
}
