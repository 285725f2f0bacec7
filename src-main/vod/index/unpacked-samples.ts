import type { LengthSize } from '../../media/codecs/nal/length-prefixed.ts';
import { SampleBuilder } from '../../media/codecs/nal/sample-builder.ts';
import { FileBlock, type FileBytes } from '../../media/containers/file-bytes.ts';
import type { SampleCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import { nextTurn } from '../../lib/turns.ts';
import { ListedSamples, type ListCursor } from './listed-samples.ts';
import type { SetsRun } from './track-facts.ts';
import type { PackedSamples, SourceFile, SourceTrack } from './source-track.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';

/** Bytes per read while a file is scanned; also the maximum size of a sample. */
const READ_BYTES = 1 << 20;
const MAX_SAMPLE_BYTES = 16 << 20;
/** Samples processed in one step. */
const SAMPLES_PER_STEP = 200;
/** Number of first samples of a track whose form is checked, and then the maximum number of bytes of each. */
const CHECKED_SAMPLES = 4;
const MAX_CHECKED_BYTES = 2 << 20;

/** Rewrites video samples to the served form: all NAL units, each after its length in four bytes. */
function rewriter(lengthBytes: LengthSize): { isBad: boolean; rewrite(sample: Uint8Array): Uint8Array } {
  const builder = new SampleBuilder({ visit: () => true, belongsInSample: () => true }, Infinity);
  return {
    get isBad() {
      return builder.isBad;
    },
    rewrite: (sample) => builder.fromPrefixed(sample, lengthBytes),
  };
}

/** Position and size of a sample in the file. */
type StoredSample = Pick<SampleCursor, 'offset' | 'sizeBytes'>;

/** First samples of a track, whose form is taken as the form of all samples. */
export function firstSamples(cursor: SampleCursor): StoredSample[] {
  const samples: StoredSample[] = [];
  while (samples.length < CHECKED_SAMPLES && cursor.next())
    samples.push({ offset: cursor.offset, sizeBytes: cursor.sizeBytes });
  return samples;
}

/** Whether one of the first video samples of a track differs from the served form. */
export async function isRewritten(
  samples: readonly StoredSample[],
  lengthBytes: LengthSize,
  file: FileBytes,
): Promise<boolean> {
  if (lengthBytes !== 4) return true;
  const form = rewriter(lengthBytes);
  for (const { offset, sizeBytes } of samples.slice(0, CHECKED_SAMPLES)) {
    if (sizeBytes > MAX_CHECKED_BYTES || offset < 0 || offset + sizeBytes > file.sizeBytes) continue;
    const bytes = new Uint8Array(sizeBytes);
    const sample = bytes.subarray(0, await file.read(bytes, offset));
    if (form.rewrite(sample) !== sample && !form.isBad) return true;
  }
  return false;
}

/**
 * Lists video samples of another form with their size in the served one. Reads all samples, up to the first that is missing,
 * because no table states the number of NAL units.
 */
export async function listRewritten(
  cursor: SampleCursor,
  lengthBytes: LengthSize,
  file: FileBytes,
): Promise<ListedSamples> {
  const samples = new ListedSamples();
  const block = new FileBlock(file, READ_BYTES);
  const form = rewriter(lengthBytes);
  while (cursor.next() && cursor.sizeBytes <= MAX_SAMPLE_BYTES) {
    const { offset, sizeBytes: storedBytes, dtsTicks, compositionOffsetTicks, durationTicks, isSync } = cursor;
    const bytes = await block.view(offset, storedBytes);
    const sizeBytes = bytes && form.rewrite(bytes).length;
    if (sizeBytes === undefined) break;
    samples.add({ offset, sizeBytes, storedBytes, dtsTicks, compositionOffsetTicks, durationTicks, isSync });
    if (samples.count % SAMPLES_PER_STEP === 0) await nextTurn();
  }
  return samples;
}

/** Differences between the stored and the served form of samples. */
export interface SampleForm {
  /** Size of the length before each NAL unit; undefined if only parameter sets are missing. */
  readonly lengthBytes: LengthSize | undefined;
  readonly sets: readonly SetsRun[];
}

/** Parameter sets to insert before a sample. */
class SetsAt {
  readonly #runs: readonly SetsRun[];
  #run = -1;

  constructor(runs: readonly SetsRun[]) {
    this.#runs = runs;
  }

  /** @param index number of the sample; must increase from call to call */
  before(index: number, isSync: boolean): Uint8Array | undefined {
    const runs = this.#runs;
    while ((runs[this.#run + 1]?.first ?? Infinity) <= index) this.#run++;
    const run = runs[this.#run];
    return isSync || run?.first === index ? run?.bytes : undefined;
  }
}

/** Adds the size of inserted parameter sets to video samples. */
export function withSets(samples: ListedSamples, sets: readonly SetsRun[]): ListedSamples {
  const unpacked = new ListedSamples();
  const cursor = samples.cursor();
  const at = new SetsAt(sets);
  for (let index = 0; cursor.next(); index++) {
    const { offset, storedBytes, dtsTicks, compositionOffsetTicks, durationTicks, isSync } = cursor;
    const sizeBytes = cursor.sizeBytes + (at.before(index, isSync)?.length ?? 0);
    unpacked.add({ offset, sizeBytes, storedBytes, dtsTicks, compositionOffsetTicks, durationTicks, isSync });
  }
  return unpacked;
}

/** Converts listed samples from the stored to the served form. */
export function unpackSamples(
  walk: () => ListCursor,
  { lengthBytes, sets }: SampleForm,
  file: SourceFile,
  unpacked: UnpackedSegments,
): NonNullable<SourceTrack['unpack']> {
  const key = unpacked.newKey();
  const unpack = async ({ mark, sizes }: PackedSamples): Promise<Uint8Array> => {
    const joined = Buffer.alloc(sizes.reduce((sum, size) => sum + size, 0));
    const cursor = walk();
    cursor.goTo(mark);
    const setsAt = new SetsAt(sets);
    const form = lengthBytes === undefined ? undefined : rewriter(lengthBytes);
    const first = mark[0] ?? 0;
    let at = 0;
    for (const [index, size] of sizes.entries()) {
      const before = setsAt.before(first + index, cursor.isSync)?.subarray(0, size);
      if (before) joined.set(before, at);
      const stored = await file.read(cursor.offset, Math.min(cursor.storedBytes, file.sizeBytes - cursor.offset));
      const sample = form?.rewrite(stored) ?? stored;
      const sizeBytes = size - (before?.length ?? 0);
      if (form && sample.length !== sizeBytes) throw new RangeError('The NAL units of a sample have changed.');
      joined.set(sample.subarray(0, sizeBytes), at + size - sizeBytes);
      at += size;
      cursor.next();
    }
    return joined;
  };
  return (packed) => ({
    async read(offset, sizeBytes) {
      const bytes = await unpacked.get(`${key} ${packed.mark[0] ?? 0}`, async () => unpack(packed));
      return bytes.subarray(offset, offset + sizeBytes);
    },
  });
}
