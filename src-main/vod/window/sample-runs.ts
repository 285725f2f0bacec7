import type { MediaFile } from '../../segment/media-bytes.ts';

/** Contiguous bytes of a file. */
export interface Run {
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Maximum distance of runs that are read together; the bytes in between are discarded. */
const MAX_GAP_BYTES = 64 * 1024;
/** Maximum bytes of one read. */
const MAX_READ_BYTES = 2 << 20;
/** Maximum runs of one read: operating systems accept about a thousand buffers at once. */
const MAX_RUNS = 256;
/** Sink for discarded bytes, shared by all reads. */
const DISCARDED = Buffer.allocUnsafeSlow(MAX_GAP_BYTES);

/** One read of a file, and the runs it covers. */
interface Reading {
  readonly offset: number;
  readonly endOffset: number;
  readonly runs: readonly Run[];
}

/** Samples of one track, interleaved with other tracks in the file, as one contiguous file. */
export class SampleRuns implements MediaFile {
  readonly sizeBytes: number;
  readonly #file: MediaFile;
  readonly #runs: readonly Run[];

  constructor(file: MediaFile, runs: readonly Run[]) {
    this.#file = file;
    this.#runs = runs;
    this.sizeBytes = runs.reduce((sum, run) => sum + run.sizeBytes, 0);
  }

  async read(offset: number, sizeBytes: number): Promise<Uint8Array> {
    const [only, ...others] = cutRuns(this.#runs, offset, offset + sizeBytes);
    if (only && others.length === 0) return this.#file.read(only.offset, only.sizeBytes);
    const bytes = Buffer.allocUnsafeSlow(sizeBytes);
    await this.readInto(bytes, offset);
    return bytes;
  }

  /** Reads each run directly into `bytes`; bytes between the runs go to a shared buffer. */
  async readInto(bytes: Uint8Array, offset: number): Promise<void> {
    let at = 0;
    for (const reading of readings(cutRuns(this.#runs, offset, offset + bytes.length))) {
      const buffers: Uint8Array[] = [];
      let position = reading.offset;
      for (const run of reading.runs) {
        if (run.offset > position) buffers.push(DISCARDED.subarray(0, run.offset - position));
        buffers.push(bytes.subarray(at, at + run.sizeBytes));
        at += run.sizeBytes;
        position = run.offset + run.sizeBytes;
      }
      await readPieces(this.#file, buffers, reading);
    }
  }
}

async function readPieces(
  file: MediaFile,
  buffers: readonly Uint8Array[],
  { offset, endOffset }: Reading,
): Promise<void> {
  if (file.readPieces) {
    await file.readPieces(buffers, offset);
    return;
  }
  const bytes = await file.read(offset, endOffset - offset);
  let at = 0;
  for (const buffer of buffers) {
    if (buffer.buffer !== DISCARDED.buffer) buffer.set(bytes.subarray(at, at + buffer.length));
    at += buffer.length;
  }
}

/** Bytes from `first` up to `end` of the concatenated runs. */
function cutRuns(runs: readonly Run[], first: number, end: number): Run[] {
  const result: Run[] = [];
  let position = 0;
  for (const { offset, sizeBytes } of runs) {
    const from = Math.max(first - position, 0);
    const to = Math.min(end - position, sizeBytes);
    if (from < to) result.push({ offset: offset + from, sizeBytes: to - from });
    position += sizeBytes;
    if (position >= end) break;
  }
  return result;
}

function readings(runs: readonly Run[]): Reading[] {
  const result: { offset: number; endOffset: number; runs: Run[] }[] = [];
  for (const run of runs) {
    const last = result.at(-1);
    const endOffset = run.offset + run.sizeBytes;
    const isNear = last !== undefined && run.offset >= last.endOffset && run.offset - last.endOffset <= MAX_GAP_BYTES;
    if (last && isNear && last.runs.length < MAX_RUNS && endOffset - last.offset <= MAX_READ_BYTES) {
      last.endOffset = endOffset;
      last.runs.push(run);
    } else result.push({ offset: run.offset, endOffset, runs: [run] });
  }
  return result;
}
