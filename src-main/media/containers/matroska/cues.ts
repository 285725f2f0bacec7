import { elementsIn, ID, MAX_ELEMENT_START_BYTES, readUint, type Element } from './element.ts';

/** A block that the index of a file names (`CuePoint`, RFC 9559, 5.1.5.1). */
export interface CuePoint {
  /** Presentation time in units of `TimestampScale`. */
  readonly time: number;
  /** Where its cluster begins, from the beginning of the data of `Segment`. */
  readonly clusterPosition: number;
  /** No byte behind this place is part of what stands before the block, in the same terms; absent where its place in the cluster is not said. */
  readonly latestPosition?: number;
}

/** Points of one file. */
const MAX_POINTS = 1 << 18;
/** Elements that are looked at in one step. */
const ELEMENTS_PER_STEP = 512;

/** The data of `Cues`: the blocks of one track, in the order of the file. Runs in steps. */
export function* readCues(bytes: Uint8Array, trackNumber: number): Generator<void, CuePoint[]> {
  const points: CuePoint[] = [];
  let step = 0;
  for (const { id, start, end } of elementsIn(bytes, 0, bytes.length)) {
    if (++step % ELEMENTS_PER_STEP === 0) yield;
    if (id !== ID.cuePoint) continue;
    if (points.length >= MAX_POINTS) break;
    let time: number | undefined;
    for (const field of elementsIn(bytes, start, end)) {
      if (field.id === ID.cueTime) time = readUint(bytes, field.start, field.end);
      const place = field.id === ID.cueTrackPositions ? readPlace(bytes, field, trackNumber) : undefined;
      if (place && time !== undefined) points.push({ time, ...place });
    }
  }
  return points;
}

function readPlace(
  bytes: Uint8Array,
  { start, end }: Element,
  trackNumber: number,
): Pick<CuePoint, 'clusterPosition' | 'latestPosition'> | undefined {
  const fields = new Map<number, number>();
  for (const one of elementsIn(bytes, start, end)) fields.set(one.id, readUint(bytes, one.start, one.end));
  const clusterPosition = fields.get(ID.cueClusterPosition);
  // It counts from behind the start of the cluster.
  const relative = fields.get(ID.cueRelativePosition);
  if (fields.get(ID.cueTrack) !== trackNumber || clusterPosition === undefined) return undefined;
  if (relative === undefined) return { clusterPosition };
  return { clusterPosition, latestPosition: clusterPosition + MAX_ELEMENT_START_BYTES + relative };
}

/** The data of `SeekHead` (RFC 9559, 5.1.1): where other elements begin, by their ids, from the beginning of the data of `Segment`. */
export function readSeeks(bytes: Uint8Array): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (const { id, start, end } of elementsIn(bytes, 0, bytes.length)) {
    if (id !== ID.seek) continue;
    const fields = new Map<number, number>();
    for (const one of elementsIn(bytes, start, end)) fields.set(one.id, readUint(bytes, one.start, one.end));
    const [name, place] = [fields.get(ID.seekId), fields.get(ID.seekPosition)];
    if (name !== undefined && place !== undefined && !places.has(name)) places.set(name, place);
  }
  return places;
}
