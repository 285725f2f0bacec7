/**
 * Samples of one chunk in decoding order, with one array per field. Only the first `count` entries are valid: the arrays may be
 * longer, so that a writer can refill the same table.
 */
export interface SampleTable {
  count: number;
  /** Size of each sample in bytes. */
  sizes: Uint32Array;
  /** Decoding duration of each sample, in ticks of the track. */
  durations: Uint32Array;
  /** Presentation time minus decoding time of each sample, in ticks of the track; may be negative. */
  compositionOffsets: Int32Array;
  /** 1 for random access points, otherwise 0. */
  isSync: Uint8Array;
}

/** Creates an empty table with room for `capacity` samples. */
export function createSampleTable(capacity: number): SampleTable {
  return {
    count: 0,
    sizes: new Uint32Array(capacity),
    durations: new Uint32Array(capacity),
    compositionOffsets: new Int32Array(capacity),
    isSync: new Uint8Array(capacity),
  };
}

/** Enlarges the arrays to at least `capacity` samples. The content stays. */
export function growSampleTable(table: SampleTable, capacity: number): void {
  if (capacity <= table.sizes.length) return;
  const grown = createSampleTable(capacity);
  grown.sizes.set(table.sizes);
  grown.durations.set(table.durations);
  grown.compositionOffsets.set(table.compositionOffsets);
  grown.isSync.set(table.isSync);
  table.sizes = grown.sizes;
  table.durations = grown.durations;
  table.compositionOffsets = grown.compositionOffsets;
  table.isSync = grown.isSync;
}
