import { elementsIn, ID, MAX_ELEMENT_START_BYTES, readUint, type Element } from './element.ts';

/** Block listed in the index of a file (`CuePoint`, RFC 9559, 5.1.5.1). */
export interface CuePoint {
  /** Presentation time in units of `TimestampScale`. */
  readonly time: number;
  /** Start of its cluster, relative to the data of `Segment`. */
  readonly clusterPosition: number;
  /** Last possible start of the block, relative to the data of `Segment`; absent if its position in the cluster is not stated. */
  readonly latestPosition?: number;
}

/** Maximum number of points of a file. */
const MAX_POINTS = 1 << 18;
/** Elements processed in one step. */
const ELEMENTS_PER_STEP = 512;

/** Reads the data of `Cues`: blocks of one track in file order. Runs in steps. */
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
      const place = field.id === ID.cueTrackPositions ? readTrackPosition(bytes, field, trackNumber) : undefined;
      if (place && time !== undefined) points.push({ time, ...place });
    }
  }
  return points;
}

function readTrackPosition(
  bytes: Uint8Array,
  { start, end }: Element,
  trackNumber: number,
): Pick<CuePoint, 'clusterPosition' | 'latestPosition'> | undefined {
  const fields = new Map<number, number>();
  for (const one of elementsIn(bytes, start, end)) fields.set(one.id, readUint(bytes, one.start, one.end));
  const clusterPosition = fields.get(ID.cueClusterPosition);
  // `CueRelativePosition` is relative to the data of the cluster.
  const relative = fields.get(ID.cueRelativePosition);
  if (fields.get(ID.cueTrack) !== trackNumber || clusterPosition === undefined) return undefined;
  if (relative === undefined) return { clusterPosition };
  return { clusterPosition, latestPosition: clusterPosition + MAX_ELEMENT_START_BYTES + relative };
}

/** Reads the data of `SeekHead` (RFC 9559, 5.1.1): positions of other elements by id, relative to the data of `Segment`. */
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
