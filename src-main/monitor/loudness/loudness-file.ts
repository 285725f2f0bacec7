import type { LoudnessBlock } from './loudness-tally.ts';

/** Milliseconds of one place of a file, and of all of it. */
export const PLACE_MS = 100;
export const HOUR_MS = 3_600_000;
/** Three numbers of 16 bits: momentary, short-term, true peak, each in hundredths. */
const PLACE_BYTES = 6;
/** What stands for no value, which a hole in the file reads as, and for 0.00. */
const NOTHING = 0;
const ZERO = 1;
const HUNDREDTHS = 100;
const LARGEST = 32_767;

/** Bytes of a file of an hour that is full. */
export const HOUR_BYTES = (HOUR_MS / PLACE_MS) * PLACE_BYTES;

/** Where a time of its hour stands in the file. */
export function offsetOf(atMs: number): number {
  return Math.floor((atMs % HOUR_MS) / PLACE_MS) * PLACE_BYTES;
}

/** Blocks as they stand in the file, one behind the other. */
export function writeBlocks(blocks: readonly LoudnessBlock[]): Buffer {
  const bytes = Buffer.alloc(blocks.length * PLACE_BYTES);
  for (const [index, { momentary, shortTerm, truePeak }] of blocks.entries())
    for (const [field, level] of [momentary, shortTerm, truePeak].entries())
      bytes.writeInt16LE(numberOf(level), index * PLACE_BYTES + field * 2);
  return bytes;
}

/** Blocks of a part of a file, with undefined where nothing was measured. */
export function* readBlocks(bytes: Buffer): Generator<LoudnessBlock | undefined> {
  for (let at = 0; at + PLACE_BYTES <= bytes.length; at += PLACE_BYTES) {
    const truePeak = levelOf(bytes.readInt16LE(at + 4));
    yield truePeak === null
      ? undefined
      : { momentary: levelOf(bytes.readInt16LE(at)), shortTerm: levelOf(bytes.readInt16LE(at + 2)), truePeak };
  }
}

/** The short-term loudness of a stretch of places: its lowest and highest, in LUFS; null where nothing was measured. */
export function shortTermOf(bytes: Buffer, first: number, end: number): readonly [low: number, high: number] | null {
  let low = Infinity;
  let high = -Infinity;
  const endAt = Math.min(bytes.length - PLACE_BYTES, (end - 1) * PLACE_BYTES);
  for (let at = first * PLACE_BYTES; at <= endAt; at += PLACE_BYTES) {
    const number = bytes.readInt16LE(at + 2);
    if (number === NOTHING) continue;
    low = Math.min(low, number);
    high = Math.max(high, number);
  }
  return high === -Infinity ? null : [low / HUNDREDTHS, high / HUNDREDTHS];
}

function numberOf(level: number | null): number {
  if (level === null || Number.isNaN(level)) return NOTHING;
  const number = Math.round(Math.max(-LARGEST, Math.min(LARGEST, level * HUNDREDTHS)));
  return number === NOTHING ? ZERO : number;
}

function levelOf(number: number): number | null {
  return number === NOTHING ? null : number / HUNDREDTHS;
}
