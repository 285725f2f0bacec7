import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** Sample of a run. Absent fields come from `tfhd` or `trex`; all samples of a run carry the same fields. */
interface RunSample {
  readonly durationTicks?: number;
  readonly sizeBytes?: number;
  readonly flags?: number;
  readonly compositionOffsetTicks?: number;
}

/** `trun` (ISO/IEC 14496-12, 8.8.8): contiguous samples. */
export interface TrackRun {
  /** Offset of the first byte of the first sample from the base that `tfhd` states. */
  readonly dataOffset?: number;
  /** Flags of the first sample, which replace the shared flags. */
  readonly firstSampleFlags?: number;
  readonly samples: readonly RunSample[];
}

/** Flags of `trun` that announce fields (ISO/IEC 14496-12 8.8.8). */
export const RUN_DATA_OFFSET = 0x001;
export const RUN_FIRST_FLAGS = 0x004;
export const RUN_DURATION = 0x100;
export const RUN_SIZE = 0x200;
export const RUN_FLAGS = 0x400;
export const RUN_COMPOSITION_OFFSET = 0x800;

/**
 * Maximum number of samples of a fragment: over an hour of audio. A run may need no bytes per sample, so that its size does not
 * limit their number.
 */
export const MAX_RUN_SAMPLES = 1 << 18;

/** Bytes per sample in a run with these flags. */
export function runSampleBytes(flags: number): number {
  return 4 * (((flags >> 8) & 1) + ((flags >> 9) & 1) + ((flags >> 10) & 1) + ((flags >> 11) & 1));
}

/** Reads the body of `trun`; undefined if it is damaged or has more samples than `maxSamples`. */
export function readTrackRun(body: ByteReader, maxSamples = MAX_RUN_SAMPLES): TrackRun | undefined {
  const run = RunReader.open(body, maxSamples);
  if (!run) return undefined;
  const { dataOffset, firstSampleFlags } = run;
  const samples: RunSample[] = [];
  for (let i = 0; i < run.count; i++) {
    run.next();
    const { durationTicks, sizeBytes, flags, compositionOffsetTicks } = run;
    samples.push({
      ...(durationTicks === undefined ? {} : { durationTicks }),
      ...(sizeBytes === undefined ? {} : { sizeBytes }),
      ...(flags === undefined ? {} : { flags }),
      ...(compositionOffsetTicks === undefined ? {} : { compositionOffsetTicks }),
    });
  }
  return {
    ...(dataOffset === undefined ? {} : { dataOffset }),
    ...(firstSampleFlags === undefined ? {} : { firstSampleFlags }),
    samples,
  };
}

/** Iterates over the samples of a `trun` without new objects: files have hundreds of thousands of them. */
export class RunReader {
  readonly count: number;
  readonly dataOffset: number | undefined;
  readonly firstSampleFlags: number | undefined;
  /** Fields of the current sample, as in `RunSample`. */
  durationTicks: number | undefined;
  sizeBytes: number | undefined;
  flags: number | undefined;
  compositionOffsetTicks: number | undefined;
  readonly #body: ByteReader;
  readonly #version: number;
  readonly #fields: number;

  private constructor(body: ByteReader) {
    const versionAndFlags = body.u32();
    this.#body = body;
    this.#version = versionAndFlags >>> 24;
    this.#fields = versionAndFlags & 0xff_ffff;
    this.count = body.u32();
    this.dataOffset = this.#has(RUN_DATA_OFFSET) ? body.i32() : undefined;
    this.firstSampleFlags = this.#has(RUN_FIRST_FLAGS) ? body.u32() : undefined;
  }

  /** Opens the body of `trun`; undefined if it is damaged or has more samples than `maxSamples`. */
  static open(body: ByteReader, maxSamples: number): RunReader | undefined {
    const run = new RunReader(body);
    const isComplete = !body.isShort && run.count * runSampleBytes(run.#fields) <= body.left;
    return isComplete && run.count <= maxSamples ? run : undefined;
  }

  /** Moves to the next sample; must be called at most `count` times. */
  next(): void {
    const body = this.#body;
    if (this.#has(RUN_DURATION)) this.durationTicks = body.u32();
    if (this.#has(RUN_SIZE)) this.sizeBytes = body.u32();
    if (this.#has(RUN_FLAGS)) this.flags = body.u32();
    if (this.#has(RUN_COMPOSITION_OFFSET)) this.compositionOffsetTicks = this.#version === 0 ? body.u32() : body.i32();
  }

  #has(field: number): boolean {
    return (this.#fields & field) !== 0;
  }
}

/** Writes `trun` in version 1, with signed composition offsets. The first sample determines the fields of all. */
export function writeTrackRun(out: BoxWriter, value: TrackRun): void {
  const first = value.samples[0] ?? {};
  let flags = 0;
  if (value.dataOffset !== undefined) flags |= RUN_DATA_OFFSET;
  if (value.firstSampleFlags !== undefined) flags |= RUN_FIRST_FLAGS;
  if (first.durationTicks !== undefined) flags |= RUN_DURATION;
  if (first.sizeBytes !== undefined) flags |= RUN_SIZE;
  if (first.flags !== undefined) flags |= RUN_FLAGS;
  if (first.compositionOffsetTicks !== undefined) flags |= RUN_COMPOSITION_OFFSET;
  out.openFull('trun', 1, flags).u32(value.samples.length);
  if (value.dataOffset !== undefined) out.u32(value.dataOffset);
  if (value.firstSampleFlags !== undefined) out.u32(value.firstSampleFlags);
  for (const sample of value.samples) {
    if (first.durationTicks !== undefined) out.u32(sample.durationTicks ?? 0);
    if (first.sizeBytes !== undefined) out.u32(sample.sizeBytes ?? 0);
    if (first.flags !== undefined) out.u32(sample.flags ?? 0);
    if (first.compositionOffsetTicks !== undefined) out.u32(sample.compositionOffsetTicks ?? 0);
  }
  out.close();
}
