import { H264Assembler } from '../../codecs/h264/assembler.ts';
import { H265Assembler } from '../../codecs/h265/assembler.ts';
import type { FileBytes } from '../file-bytes.ts';
import { MAX_BOX_START_BYTES, readBoxStart } from './box.ts';
import { MAX_MOOF_BYTES, readFragment } from './movie-fragment.ts';
import type { SampleCursor } from './sample-cursor.ts';
import type { TrackExtends } from './track-extends.ts';

/**
 * Video track whose sample entry lacks parameter sets: they are in the samples (`avc3`, `hev1`; ISO/IEC 14496-15, 5.3.3.1 and
 * 8.3.3.1).
 */
export interface InBandTrack {
  readonly fileTrackId: number;
  readonly codec: 'h264' | 'h265';
  /** Decoder configuration record of the sample entry. */
  readonly record: Uint8Array;
  readonly nalLengthBytes: 1 | 2 | 4;
  /** Defaults of fragments; absent in files without any. */
  readonly defaults?: TrackExtends;
  /** New cursor over the samples listed in `moov`. */
  samples(): SampleCursor;
}

/** Complete decoder configuration records by `track_ID`. */
export type InBandRecords = ReadonlyMap<number, Uint8Array>;

interface ByteRange {
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Maximum number of boxes visited in search of fragments. */
const MAX_BOXES = 1000;
/** Maximum number of samples that are searched per track, and then the maximum number of their bytes. */
const MAX_SAMPLES = 600;
const MAX_SAMPLE_BYTES = 32 << 20;

/**
 * Completes the records of tracks with the first parameter sets among their samples. Tracks without parameter sets are left
 * out.
 */
export async function findRecordsInFile(tracks: readonly InBandTrack[], file: FileBytes): Promise<InBandRecords> {
  const search = findRecords(tracks, file.sizeBytes);
  for (let step = search.next(); ;) {
    if (step.done) return step.value;
    const { offset, sizeBytes } = step.value;
    const bytes = new Uint8Array(sizeBytes);
    step = search.next(bytes.subarray(0, await file.read(bytes, offset)));
  }
}

/** Does the same as `findRecordsInFile` for the fragments of a segment. */
export function findRecordsInSegment(tracks: readonly InBandTrack[], segment: Uint8Array): InBandRecords {
  const search = findRecords(tracks, segment.length);
  for (let step = search.next(); ;) {
    if (step.done) return step.value;
    const { offset, sizeBytes } = step.value;
    step = search.next(segment.subarray(offset, offset + sizeBytes));
  }
}

/** Search as a generator: yields the byte ranges that it needs, and receives their bytes. */
function* findRecords(
  tracks: readonly InBandTrack[],
  totalBytes: number,
): Generator<ByteRange, InBandRecords, Uint8Array> {
  const records = new Map<number, Uint8Array>();
  const searches = tracks.map((track) => new TrackSearch(track, totalBytes));
  const visit = function* (search: TrackSearch, cursor: SampleCursor): Generator<ByteRange, void, Uint8Array> {
    const record = yield* search.visit(cursor);
    if (record) records.set(search.track.fileTrackId, record);
  };
  for (const search of searches) yield* visit(search, search.track.samples());
  for (let at = 0, step = 0; step < MAX_BOXES && at + 8 <= totalBytes; step++) {
    const open = searches.filter(({ isOver, track }) => !isOver && track.defaults);
    if (open.length === 0) break;
    const start = readBoxStart(yield { offset: at, sizeBytes: Math.min(MAX_BOX_START_BYTES, totalBytes - at) }, 0);
    // A box of size 0 extends to the end of the file.
    if (!start || start.sizeBytes === 0) break;
    if (start.type === 'moof' && start.sizeBytes <= Math.min(MAX_MOOF_BYTES, totalBytes - at)) {
      const moof = yield { offset: at, sizeBytes: start.sizeBytes };
      for (const search of open) {
        const { defaults } = search.track;
        const cursor = defaults && readFragment(moof, at, defaults, 0);
        if (cursor) yield* visit(search, cursor);
      }
    }
    at += start.sizeBytes;
  }
  return records;
}

/** Search through the samples of one track. */
class TrackSearch {
  readonly track: InBandTrack;
  isOver = false;
  readonly #assembler: H264Assembler | H265Assembler;
  readonly #totalBytes: number;
  #samplesLeft = MAX_SAMPLES;
  #bytesLeft = MAX_SAMPLE_BYTES;

  constructor(track: InBandTrack, totalBytes: number) {
    this.track = track;
    this.#totalBytes = totalBytes;
    const options = { trackId: 'v1', problem: () => undefined };
    this.#assembler = track.codec === 'h264' ? new H264Assembler(options) : new H265Assembler(options);
    this.#assembler.configure(track.record);
  }

  *visit(cursor: SampleCursor): Generator<ByteRange, Uint8Array | undefined, Uint8Array> {
    while (!this.isOver && cursor.next()) {
      const { offset, sizeBytes } = cursor;
      if (sizeBytes === 0) continue;
      this.#bytesLeft -= sizeBytes;
      this.isOver =
        --this.#samplesLeft < 0 || this.#bytesLeft < 0 || offset < 0 || offset + sizeBytes > this.#totalBytes;
      if (this.isOver) break;
      this.#assembler.assembleSample(yield { offset, sizeBytes }, this.track.nalLengthBytes);
      const { track } = this.#assembler;
      this.isOver = track !== undefined;
      if (track) return track.decoderConfig;
    }
    return undefined;
  }
}
