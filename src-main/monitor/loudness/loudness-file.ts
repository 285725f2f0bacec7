import type { LoudnessBlock } from './loudness-tally.ts';

/** Duration of one entry, and of a file, in milliseconds. */
export const ENTRY_MS = 100;
export const HOUR_MS = 3_600_000;
/** Size of an entry in bytes: momentary, short-term and true peak as 16-bit integers in hundredths. */
const ENTRY_BYTES = 6;
/** Value for "not measured". Unwritten parts of the file are read as this value. */
const NOT_MEASURED = 0;
/** Value that is stored for a measured 0.00, because 0 means "not measured". */
const ZERO = 1;
const HUNDREDTHS = 100;
const LARGEST = 32_767;

/** Size of a complete file of one hour, in bytes. */
export const HOUR_BYTES = (HOUR_MS / ENTRY_MS) * ENTRY_BYTES;

/** Offset of a time in the file of its hour, in bytes. */
export function offsetOf(atMs: number): number {
  return Math.floor((atMs % HOUR_MS) / ENTRY_MS) * ENTRY_BYTES;
}

/** Writes blocks as consecutive entries of the file. */
export function writeBlocks(blocks: readonly LoudnessBlock[]): Buffer {
  const bytes = Buffer.alloc(blocks.length * ENTRY_BYTES);
  for (const [index, { momentary, shortTerm, truePeak }] of blocks.entries())
    for (const [field, level] of [momentary, shortTerm, truePeak].entries())
      bytes.writeInt16LE(numberOf(level), index * ENTRY_BYTES + field * 2);
  return bytes;
}

/** Reads blocks from a part of a file; undefined for entries without a measurement. */
export function* readBlocks(bytes: Buffer): Generator<LoudnessBlock | undefined> {
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    const truePeak = levelOf(bytes.readInt16LE(at + 4));
    yield truePeak === null
      ? undefined
      : { momentary: levelOf(bytes.readInt16LE(at)), shortTerm: levelOf(bytes.readInt16LE(at + 2)), truePeak };
  }
}

/** Lowest and highest short-term loudness of a range of entries, in LUFS; null without measurements. */
export function shortTermOf(bytes: Buffer, first: number, end: number): readonly [low: number, high: number] | null {
  let low = Infinity;
  let high = -Infinity;
  const endAt = Math.min(bytes.length - ENTRY_BYTES, (end - 1) * ENTRY_BYTES);
  for (let at = first * ENTRY_BYTES; at <= endAt; at += ENTRY_BYTES) {
    const number = bytes.readInt16LE(at + 2);
    if (number === NOT_MEASURED) continue;
    low = Math.min(low, number);
    high = Math.max(high, number);
  }
  return high === -Infinity ? null : [low / HUNDREDTHS, high / HUNDREDTHS];
}

function numberOf(level: number | null): number {
  if (level === null || Number.isNaN(level)) return NOT_MEASURED;
  const number = Math.round(Math.max(-LARGEST, Math.min(LARGEST, level * HUNDREDTHS)));
  return number === NOT_MEASURED ? ZERO : number;
}

function levelOf(number: number): number | null {
  return number === NOT_MEASURED ? null : number / HUNDREDTHS;
}
