import { findBox, readBoxes } from './box.ts';
import type { Box } from './box.ts';
import { ByteReader } from './byte-reader.ts';
import type { DescribedCursor } from './sample-cursor.ts';
import { NON_SYNC_BIT } from './sample-flags.ts';
import { readTrackFragmentDecodeTime } from './track-fragment-decode-time.ts';
import { readTrackFragmentHeader } from './track-fragment-header.ts';
import type { TrackFragmentHeader } from './track-fragment-header.ts';
import type { TrackExtends } from './track-extends.ts';
import { MAX_RUN_SAMPLES, RunReader } from './track-run.ts';

/** Maximum size of a `moof`. */
export const MAX_MOOF_BYTES = 16 << 20;

/**
 * Numbers of each sample in a flat list: offset, size, decoding time, composition offset, duration, 1 for a sync sample, and
 * sample description.
 */
const NUMBERS_PER_SAMPLE = 7;

/** Samples of one track in one fragment (`moof`, ISO/IEC 14496-12, 8.8). */
export class FragmentCursor implements DescribedCursor {
  offset = 0;
  sizeBytes = 0;
  dtsTicks = 0;
  compositionOffsetTicks = 0;
  durationTicks = 0;
  isSync = true;
  descriptionIndex = 1;
  /** Decoding time after the last sample, where a fragment without `tfdt` continues. */
  readonly endTicks: number;
  readonly minOffsetTicks: number;
  /** Number of samples of all tracks of the fragment. */
  readonly totalSamples: number;
  readonly #numbers: readonly number[];
  #at = 0;

  /** @param numbers `NUMBERS_PER_SAMPLE` per sample */
  constructor(numbers: readonly number[], endTicks: number, totalSamples: number) {
    this.totalSamples = totalSamples;
    this.#numbers = numbers;
    this.endTicks = endTicks;
    let least = 0;
    for (let at = 3; at < numbers.length; at += NUMBERS_PER_SAMPLE) least = Math.min(least, numbers[at] ?? 0);
    this.minOffsetTicks = least;
  }

  next(): boolean {
    const numbers = this.#numbers;
    const at = this.#at;
    if (at >= numbers.length) return false;
    this.#at = at + NUMBERS_PER_SAMPLE;
    this.offset = numbers[at] ?? 0;
    this.sizeBytes = numbers[at + 1] ?? 0;
    this.dtsTicks = numbers[at + 2] ?? 0;
    this.compositionOffsetTicks = numbers[at + 3] ?? 0;
    this.durationTicks = numbers[at + 4] ?? 0;
    this.isSync = numbers[at + 5] === 1;
    this.descriptionIndex = numbers[at + 6] ?? 1;
    return true;
  }
}

/** Properties of a track needed to read its samples in a fragment. */
export interface FragmentTrack {
  readonly defaults: TrackExtends;
  /** Decoding time for a fragment that states none. */
  readonly startTicks: number;
}

/**
 * Reads a complete `moof` box with its header for one track.
 *
 * @param moofOffset position of the box in the file
 * @param startTicks decoding time for a fragment that states none
 * @param maxSamples maximum samples of all tracks; a fragment with more counts as damaged
 * @returns undefined if the box is damaged; a cursor without samples if the track is not in it
 */
export function readFragment(
  bytes: Uint8Array,
  moofOffset: number,
  defaults: TrackExtends,
  startTicks: number,
  maxSamples = MAX_RUN_SAMPLES,
): FragmentCursor | undefined {
  return readFragments(bytes, moofOffset, [{ defaults, startTicks }], maxSamples)?.[0];
}

/** Does the same as `readFragment` for several tracks at once. @returns a cursor per track */
export function readFragments(
  bytes: Uint8Array,
  moofOffset: number,
  tracks: readonly FragmentTrack[],
  maxSamples = MAX_RUN_SAMPLES,
): FragmentCursor[] | undefined {
  const moof = findBox(bytes, ['moof']);
  if (!moof) return undefined;
  const found = tracks.map(({ defaults, startTicks }): FoundSamples => ({
    defaults,
    numbers: [],
    dtsTicks: startTicks,
  }));
  // If no base is stated, the data of a track follows the data of the previous track (8.8.7).
  let dataEnd = moofOffset;
  let isFirst = true;
  let total = 0;
  for (const traf of readBoxes(bytes, moof.bodyStart, moof.end)) {
    if (traf.type !== 'traf') continue;
    const boxes = readBoxes(bytes, traf.bodyStart, traf.end);
    const tfhd = boxes.find((box) => box.type === 'tfhd');
    const header = tfhd && readTrackFragmentHeader(reader(bytes, tfhd));
    if (!header) return undefined;
    const base = header.baseDataOffset ?? (header.isBaseMoof || isFirst ? moofOffset : dataEnd);
    isFirst = false;
    const requested = found.find(({ defaults }) => defaults.trackId === header.trackId);
    const tfdt = boxes.find((box) => box.type === 'tfdt');
    if (requested && tfdt)
      requested.dtsTicks = readTrackFragmentDecodeTime(reader(bytes, tfdt))?.baseDecodeTicks ?? requested.dtsTicks;
    const run = {
      requested,
      header,
      defaults: (requested ?? found[0])?.defaults,
      base,
      offset: base,
      total,
      maxSamples,
    };
    for (const box of boxes) {
      if (box.type === 'trun' && !addRun(bytes, box, run)) return undefined;
    }
    total = run.total;
    dataEnd = run.offset;
  }
  return found.map(({ numbers, dtsTicks }) => new FragmentCursor(numbers, dtsTicks, total));
}

/** Samples of one track found so far. */
interface FoundSamples {
  readonly defaults: TrackExtends;
  /** `NUMBERS_PER_SAMPLE` per sample. */
  readonly numbers: number[];
  dtsTicks: number;
}

interface RunState {
  /** Samples to keep; undefined for a track that is not requested. */
  readonly requested: FoundSamples | undefined;
  readonly header: TrackFragmentHeader;
  readonly defaults: TrackExtends | undefined;
  readonly base: number;
  offset: number;
  /** Number of samples of all tracks read so far. */
  total: number;
  readonly maxSamples: number;
}

function addRun(bytes: Uint8Array, box: Box, state: RunState): boolean {
  const { requested, header, defaults } = state;
  const run = RunReader.open(reader(bytes, box), state.maxSamples - state.total);
  if (!run) return false;
  state.total += run.count;
  if (run.dataOffset !== undefined) state.offset = state.base + run.dataOffset;
  for (let index = 0; index < run.count; index++) {
    run.next();
    const sizeBytes = run.sizeBytes ?? header.sampleSizeBytes ?? defaults?.sampleSizeBytes ?? 0;
    if (requested) {
      const firstFlags = index === 0 ? run.firstSampleFlags : undefined;
      const flags = firstFlags ?? run.flags ?? header.sampleFlags ?? requested.defaults.sampleFlags;
      const durationTicks = run.durationTicks ?? header.sampleDurationTicks ?? requested.defaults.sampleDurationTicks;
      const isSync = (flags & NON_SYNC_BIT) === 0 ? 1 : 0;
      const offsetTicks = run.compositionOffsetTicks ?? 0;
      // The description of all samples of a track fragment (8.8.7).
      const description = header.sampleDescriptionIndex ?? requested.defaults.sampleDescriptionIndex;
      requested.numbers.push(
        state.offset,
        sizeBytes,
        requested.dtsTicks,
        offsetTicks,
        durationTicks,
        isSync,
        description,
      );
      requested.dtsTicks += durationTicks;
    }
    state.offset += sizeBytes;
  }
  return true;
}

function reader(bytes: Uint8Array, box: Box): ByteReader {
  return new ByteReader(bytes, box.bodyStart, box.end);
}
