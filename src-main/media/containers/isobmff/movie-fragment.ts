import { findBox, readBoxes } from './box.ts';
import type { Box } from './box.ts';
import { ByteReader } from './byte-reader.ts';
import type { SampleCursor } from './sample-cursor.ts';
import { NON_SYNC_BIT } from './sample-flags.ts';
import { readTrackFragmentDecodeTime } from './track-fragment-decode-time.ts';
import { readTrackFragmentHeader } from './track-fragment-header.ts';
import type { TrackFragmentHeader } from './track-fragment-header.ts';
import type { TrackExtends } from './track-extends.ts';
import { MOST_RUN_SAMPLES, readTrackRun } from './track-run.ts';

/** Bytes that one `moof` may have. */
export const MOST_MOOF_BYTES = 16 << 20;

interface FragmentSample {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly dtsTicks: number;
  readonly compositionOffsetTicks: number;
  readonly durationTicks: number;
  readonly isSync: boolean;
}

/** The samples of one track in one fragment (`moof`, ISO/IEC 14496-12, 8.8). */
export class FragmentCursor implements SampleCursor {
  offset = 0;
  sizeBytes = 0;
  dtsTicks = 0;
  compositionOffsetTicks = 0;
  durationTicks = 0;
  isSync = true;
  /** Decoding time behind the last sample: where a fragment without `tfdt` goes on. */
  readonly endTicks: number;
  readonly leastOffsetTicks: number;
  /** Samples of all tracks of the fragment. */
  readonly seenSamples: number;
  readonly #samples: readonly FragmentSample[];
  #index = -1;

  constructor(samples: readonly FragmentSample[], endTicks: number, seenSamples: number) {
    this.seenSamples = seenSamples;
    this.#samples = samples;
    this.endTicks = endTicks;
    this.leastOffsetTicks = samples.reduce((least, sample) => Math.min(least, sample.compositionOffsetTicks), 0);
  }

  next(): boolean {
    const sample = this.#samples[++this.#index];
    if (!sample) return false;
    this.offset = sample.offset;
    this.sizeBytes = sample.sizeBytes;
    this.dtsTicks = sample.dtsTicks;
    this.compositionOffsetTicks = sample.compositionOffsetTicks;
    this.durationTicks = sample.durationTicks;
    this.isSync = sample.isSync;
    return true;
  }
}

/**
 * Reads a whole `moof` box, header and all, for one track.
 *
 * @param moofOffset position of the box in the file
 * @param startTicks decoding time for a fragment that says none
 * @param mostSamples samples of all tracks; a fragment with more counts as damaged
 * @returns undefined where the box is damaged; a cursor without samples where the track is not in it
 */
export function readFragment(
  bytes: Uint8Array,
  moofOffset: number,
  defaults: TrackExtends,
  startTicks: number,
  mostSamples = MOST_RUN_SAMPLES,
): FragmentCursor | undefined {
  const moof = findBox(bytes, ['moof']);
  if (!moof) return undefined;
  const samples: FragmentSample[] = [];
  let dtsTicks = startTicks;
  // Without any base, the data of a track follow those of the track before it (8.8.7).
  let dataEnd = moofOffset;
  let isFirst = true;
  let seen = 0;
  for (const traf of readBoxes(bytes, moof.bodyStart, moof.end)) {
    if (traf.type !== 'traf') continue;
    const boxes = readBoxes(bytes, traf.bodyStart, traf.end);
    const tfhd = boxes.find((box) => box.type === 'tfhd');
    const header = tfhd && readTrackFragmentHeader(reader(bytes, tfhd));
    if (!header) return undefined;
    const base = header.baseDataOffset ?? (header.isBaseMoof || isFirst ? moofOffset : dataEnd);
    isFirst = false;
    const isOurs = header.trackId === defaults.trackId;
    const tfdt = boxes.find((box) => box.type === 'tfdt');
    if (isOurs && tfdt) dtsTicks = readTrackFragmentDecodeTime(reader(bytes, tfdt))?.baseDecodeTicks ?? dtsTicks;
    const run = { samples, header, defaults, base, offset: base, dtsTicks, seen, mostSamples };
    for (const box of boxes) {
      if (box.type === 'trun' && !addRun(bytes, box, run)) return undefined;
    }
    seen = run.seen;
    dataEnd = run.offset;
    if (isOurs) dtsTicks = run.dtsTicks;
  }
  return new FragmentCursor(samples, dtsTicks, seen);
}

interface RunState {
  readonly samples: FragmentSample[];
  readonly header: TrackFragmentHeader;
  readonly defaults: TrackExtends;
  readonly base: number;
  offset: number;
  dtsTicks: number;
  /** Samples of all tracks so far. */
  seen: number;
  readonly mostSamples: number;
}

function addRun(bytes: Uint8Array, box: Box, state: RunState): boolean {
  const { header, defaults, samples } = state;
  const run = readTrackRun(reader(bytes, box), state.mostSamples - state.seen);
  if (!run) return false;
  state.seen += run.samples.length;
  const isOurs = header.trackId === defaults.trackId;
  if (run.dataOffset !== undefined) state.offset = state.base + run.dataOffset;
  for (const [index, sample] of run.samples.entries()) {
    const sizeBytes = sample.sizeBytes ?? header.sampleSizeBytes ?? defaults.sampleSizeBytes;
    const durationTicks = sample.durationTicks ?? header.sampleDurationTicks ?? defaults.sampleDurationTicks;
    const firstFlags = index === 0 ? run.firstSampleFlags : undefined;
    const flags = firstFlags ?? sample.flags ?? header.sampleFlags ?? defaults.sampleFlags;
    if (isOurs) {
      samples.push({
        offset: state.offset,
        sizeBytes,
        dtsTicks: state.dtsTicks,
        compositionOffsetTicks: sample.compositionOffsetTicks ?? 0,
        durationTicks,
        isSync: (flags & NON_SYNC_BIT) === 0,
      });
      state.dtsTicks += durationTicks;
    }
    state.offset += sizeBytes;
  }
  return true;
}

function reader(bytes: Uint8Array, box: Box): ByteReader {
  return new ByteReader(bytes, box.bodyStart, box.end);
}
