import { bodyOf, findBox, readBoxes } from '../../src-main/media/containers/isobmff/box.ts';
import { forEachSample } from '../../src-main/media/containers/isobmff/chunk-reader.ts';
import { readFragments, type FragmentTrack } from '../../src-main/media/containers/isobmff/movie-fragment.ts';
import { readMovie, type Movie } from '../../src-main/media/containers/isobmff/movie.ts';
import { readTrackExtends } from '../../src-main/media/containers/isobmff/track-extends.ts';
import { readTrackFragmentHeader } from '../../src-main/media/containers/isobmff/track-fragment-header.ts';
import { readMedia, type MediaBytes } from '../../src-main/segment/media-bytes.ts';

/** Sample of a file. */
export interface FileSample {
  readonly dtsTicks: number;
  readonly ptsTicks: number;
  readonly isSync: boolean;
  readonly data: Buffer;
}

/** Samples of one chunk, and the number of their track. */
export interface FileChunk {
  readonly trackNumber: number;
  readonly samples: readonly FileSample[];
}

/** Fragmented MP4 as read by the MP4 reader of Airdesk. */
export interface Mp4File {
  readonly movie: Movie | undefined;
  readonly moov: Buffer;
  readonly chunks: readonly FileChunk[];
}

/** Boxes between fragments that contain no sample table. */
const OTHER_BOXES: readonly string[] = ['sidx', 'prft', 'free', 'mdat'];

/**
 * Reads a file, each track of a fragment as a chunk. Throws if the file has other boxes, or bytes after the last box.
 */
export function readMp4(bytes: Buffer): Mp4File {
  const [ftyp, moov, ...boxes] = readBoxes(bytes);
  if (ftyp?.type !== 'ftyp' || moov?.type !== 'moov') throw new Error('a file begins with ftyp and moov');
  const head = bytes.subarray(moov.start, moov.end);
  const movie = readMovie(head);
  const chunks: FileChunk[] = [];
  const mvex = findBox(head, ['moov', 'mvex']);
  const tracks = readBoxes(head, mvex?.bodyStart ?? head.length, mvex?.end).flatMap((box) => {
    const defaults = box.type === 'trex' ? readTrackExtends(bodyOf(head, box)) : undefined;
    return defaults ? [{ defaults, startTicks: 0 }] : [];
  });
  for (const { type, start, end } of boxes) {
    if (type === 'moof') chunks.push(...fragmentOf(bytes, start, end, tracks));
    else if (!OTHER_BOXES.includes(type)) throw new Error(`a file has no box ${type}`);
  }
  if ((boxes.at(-1) ?? moov).end !== bytes.length) throw new Error('a file ends with a whole box');
  return { movie, moov: head, chunks };
}

function fragmentOf(bytes: Buffer, start: number, end: number, tracks: readonly FragmentTrack[]): FileChunk[] {
  const cursors = readFragments(bytes.subarray(start, end), start, tracks);
  if (!cursors) throw new Error('there is no fragment');
  return cursors.flatMap((cursor, index) => {
    const samples: FileSample[] = [];
    while (cursor.next()) {
      const { offset, sizeBytes, dtsTicks, compositionOffsetTicks, isSync } = cursor;
      const data = Buffer.from(bytes.subarray(offset, offset + sizeBytes));
      samples.push({ dtsTicks, ptsTicks: dtsTicks + compositionOffsetTicks, isSync, data });
    }
    return samples.length > 0 ? [{ trackNumber: tracks[index]?.defaults.trackId ?? 0, samples }] : [];
  });
}

/** Reads the chunk at the start of some bytes. */
export function readFileChunk(bytes: Uint8Array): { readonly read: FileChunk; readonly end: number } {
  const samples: FileSample[] = [];
  const end = forEachSample(bytes, (start, sizeBytes, dtsTicks, ptsTicks, _duration, isSync) => {
    samples.push({ dtsTicks, ptsTicks, isSync, data: Buffer.from(bytes.subarray(start, start + sizeBytes)) });
  });
  const tfhd = findBox(bytes, ['moof', 'traf', 'tfhd']);
  const header = tfhd && readTrackFragmentHeader(bodyOf(bytes, tfhd));
  if (end < 0 || !header) throw new Error('there is no chunk');
  return { read: { trackNumber: header.trackId, samples }, end };
}

/** Collects all output, and the final result. */
export async function collectMedia<End>(
  media: AsyncGenerator<MediaBytes, End>,
  onPiece?: (piece: MediaBytes) => void,
): Promise<{ readonly bytes: Buffer; readonly end: End }> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const next = await media.next();
    if (next.done) return { bytes: Buffer.concat(pieces), end: next.value };
    onPiece?.(next.value);
    const bytes = await readMedia(next.value);
    if (bytes.length !== next.value.sizeBytes) throw new Error('a piece has another size than stated');
    // Copies the data, because live memory is reused.
    pieces.push(Uint8Array.from(bytes));
  }
}
