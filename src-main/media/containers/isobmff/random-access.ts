import { findBox, readBoxes } from './box.ts';

/** Size of the box at the end of a fragmented file that locates the boxes before it (`mfro`, ISO/IEC 14496-12, 8.8.11). */
export const RANDOM_ACCESS_OFFSET_BYTES = 16;

/** Random access point that is the first sample of its `moof` (`tfra`, 8.8.10). */
export interface RandomAccess {
  /** Presentation time, in ticks of the track; writers differ in the origin. */
  readonly ticks: number;
  readonly moofOffset: number;
}

/** Reads the last bytes of a file: the size of `mfra`, which ends with the file; undefined if it has none. */
export function readRandomAccessBytes(bytes: Uint8Array): number | undefined {
  const box = findBox(bytes, ['mfro']);
  if (!box || box.end - box.bodyStart !== 8) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(box.bodyStart + 4);
}

/**
 * Reads a complete `mfra` box: the entries of a track that are the first samples of their fragments, in file order; undefined if
 * it has no `tfra` of the track.
 */
export function readRandomAccess(bytes: Uint8Array, trackId: number): RandomAccess[] | undefined {
  const mfra = findBox(bytes, ['mfra']);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { type, bodyStart, end } of mfra ? readBoxes(bytes, mfra.bodyStart, mfra.end) : []) {
    if (type !== 'tfra' || end - bodyStart < 16 || view.getUint32(bodyStart + 4) !== trackId) continue;
    const isLong = bytes[bodyStart] === 1;
    const lengths = view.getUint32(bodyStart + 8);
    const [trafBytes, trunBytes, sampleBytes] = [((lengths >> 4) & 3) + 1, ((lengths >> 2) & 3) + 1, (lengths & 3) + 1];
    const timeBytes = isLong ? 8 : 4;
    const entryBytes = 2 * timeBytes + trafBytes + trunBytes + sampleBytes;
    const count = Math.min(view.getUint32(bodyStart + 12), Math.floor((end - bodyStart - 16) / entryBytes));
    const number = (at: number): number =>
      isLong ? view.getUint32(at) * 0x1_0000_0000 + view.getUint32(at + 4) : view.getUint32(at);
    const entries: RandomAccess[] = [];
    for (let index = 0, at = bodyStart + 16; index < count; index++, at += entryBytes) {
      const runAt = at + 2 * timeBytes + trafBytes;
      const isFirst = bytes[runAt + trunBytes - 1] === 1 && bytes[runAt + trunBytes + sampleBytes - 1] === 1;
      const entry = { ticks: number(at), moofOffset: number(at + timeBytes) };
      if (isFirst && entry.moofOffset > (entries.at(-1)?.moofOffset ?? -1)) entries.push(entry);
    }
    return entries;
  }
  return undefined;
}
