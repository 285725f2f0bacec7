import { FileBlock, type FileBytes } from '../../media/containers/file-bytes.ts';
import type { SampleCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import { nextTurn } from '../../lib/turns.ts';
import { ListedSamples } from './listed-samples.ts';
import type { MarkedCursor } from './marked-cursor.ts';
import type { SetsRun } from './track-facts.ts';
import type { PackedSamples, SourceFile, SourceTrack } from './source-track.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';

/** Served size of a length field: CMAF and MPEG-TS output starts from four-byte lengths. */
const SERVED_BYTES = 4;
/** Bytes per read while a file is scanned; also the maximum size of a sample. */
const READ_BYTES = 1 << 20;
const MAX_SAMPLE_BYTES = 16 << 20;
/** Samples processed in one step. */
const SAMPLES_PER_STEP = 200;

/**
 * Lists video samples whose NAL unit lengths have one or two bytes with the size they have with four. Needs a pass over all
 * samples, up to the first damaged or missing one, because no table states the number of NAL units.
 */
export async function widenLengths(cursor: SampleCursor, lengthBytes: 1 | 2, file: FileBytes): Promise<ListedSamples> {
  const samples = new ListedSamples();
  const block = new FileBlock(file, READ_BYTES);
  while (cursor.next() && cursor.sizeBytes <= MAX_SAMPLE_BYTES) {
    const bytes = await block.view(cursor.offset, cursor.sizeBytes);
    const sizeBytes = bytes && widenedSize(bytes, lengthBytes);
    if (sizeBytes === undefined) break;
    const { offset, dtsTicks, compositionOffsetTicks, durationTicks, isSync } = cursor;
    samples.add({ offset, sizeBytes, dtsTicks, compositionOffsetTicks, durationTicks, isSync });
    if (samples.count % SAMPLES_PER_STEP === 0) await nextTurn();
  }
  return samples;
}

/** Differences between the stored and the served form of samples. */
export interface SampleForm {
  /** Size of the length field before each NAL unit. */
  readonly lengthBytes: 1 | 2 | 4;
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
    const { offset, dtsTicks, compositionOffsetTicks, durationTicks, isSync } = cursor;
    const sizeBytes = cursor.sizeBytes + (at.before(index, isSync)?.length ?? 0);
    unpacked.add({ offset, sizeBytes, dtsTicks, compositionOffsetTicks, durationTicks, isSync });
  }
  return unpacked;
}

/** Converts samples from the stored to the served form. */
export function unpackSamples(
  walk: () => MarkedCursor,
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
    const first = mark[0] ?? 0;
    let at = 0;
    for (const [index, size] of sizes.entries()) {
      const before = setsAt.before(first + index, cursor.isSync);
      if (before) joined.set(before.subarray(0, size), at);
      const from = at + Math.min(size, before?.length ?? 0);
      const out = joined.subarray(from, at + size);
      // A stored sample is never longer than the served one.
      const sample = await file.read(cursor.offset, Math.min(out.length, file.sizeBytes - cursor.offset));
      if (lengthBytes === 4) out.set(sample);
      else widen(sample, lengthBytes, out);
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

/** Size of a sample with four-byte lengths; undefined if its NAL units do not fill it. */
function widenedSize(sample: Uint8Array, lengthBytes: 1 | 2): number | undefined {
  let units = 0;
  let at = 0;
  for (; at + lengthBytes <= sample.length; units++) at += lengthBytes + lengthAt(sample, at, lengthBytes);
  return at === sample.length ? at + units * (SERVED_BYTES - lengthBytes) : undefined;
}

/** Writes a sample with four-byte lengths until its space is full. */
function widen(sample: Uint8Array, lengthBytes: 1 | 2, out: Buffer): void {
  let from = 0;
  for (let to = 0; to + SERVED_BYTES <= out.length;) {
    const length = lengthAt(sample, from, lengthBytes);
    const end = from + lengthBytes + length;
    if (end > sample.length || to + SERVED_BYTES + length > out.length)
      throw new RangeError('The lengths of NAL units have changed.');
    out.writeUInt32BE(length, to);
    out.set(sample.subarray(from + lengthBytes, end), to + SERVED_BYTES);
    from = end;
    to += SERVED_BYTES + length;
  }
}

function lengthAt(bytes: Uint8Array, at: number, lengthBytes: 1 | 2): number {
  const high = bytes[at] ?? 0;
  return lengthBytes === 1 ? high : (high << 8) | (bytes[at + 1] ?? 0);
}
