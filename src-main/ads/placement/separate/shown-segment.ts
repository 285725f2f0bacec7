import { keepNewest } from '../../../lib/limits/newest.ts';
import { trackNumber } from '../../../media/track.ts';
import type { Segment, WindowSegment } from '../../../segment/segment-window.ts';
import { MovedSegment, type PartCut } from '../../clips/clip-parts.ts';

/** Position of a segment for a viewer. */
export type SegmentPosition = Pick<WindowSegment, 'msn' | 'startMs' | 'isDiscontinuity' | 'discontinuitySequence'>;

/** Form of a clip segment in a stream. */
export interface ClipForm extends PartCut {
  /** Parameter sets before each key frame. */
  readonly sets: Uint8Array | undefined;
}

/** Segment at a position, with its source. */
interface Shown {
  readonly entry: WindowSegment;
  readonly source: Segment;
  readonly form: ClipForm | undefined;
}

/** Maximum number of cached positions of one segment, the newest: many viewers use a clip at different times. */
const MAX_POSITIONS = 64;

const shared = new WeakMap<WindowSegment, Map<number, Shown>>();

/**
 * Segment of the stream at another position. Viewers with the same position share the object, so that renderers cache its lines
 * once.
 */
export function shownSegment(entry: WindowSegment, segment: Segment, position: SegmentPosition): WindowSegment {
  const make = (): WindowSegment => ({ segment, ...position, address: entry.address });
  return moved(entry, { source: segment, form: undefined }, position, make);
}

/**
 * Segment of a clip at a position, with the times of that position; shared in the same way.
 *
 * @param addressPrefix prefix of the clip
 */
export function shownClip(
  entry: WindowSegment,
  form: ClipForm,
  addressPrefix: string,
  position: SegmentPosition,
): WindowSegment {
  return moved(entry, { source: entry.segment, form }, position, () => {
    const { msn, startMs } = position;
    const shiftMs = startMs - entry.segment.startMs;
    const segment = new MovedSegment(entry.segment, form, { msn, startMs, shiftMs, sets: form.sets });
    return { segment, ...position, address: `${addressPrefix}${startMs}` };
  });
}

function moved(
  entry: WindowSegment,
  { source, form }: Pick<Shown, 'source' | 'form'>,
  { msn, startMs, isDiscontinuity, discontinuitySequence }: SegmentPosition,
  make: () => WindowSegment,
): WindowSegment {
  const positions = positionsOf(entry);
  // A numeric key, because this runs for each segment of each viewer. On a collision the newer position replaces the older one.
  const track = form ? trackNumber(form.track.id) % 64 : 0;
  const key = ((msn * 1024 + (discontinuitySequence % 1024)) * 2 + (isDiscontinuity ? 1 : 0)) * 64 + track;
  const cached = positions.get(key);
  if (
    cached?.source === source &&
    cached.form?.track.id === form?.track.id &&
    cached.form?.partMs === form?.partMs &&
    (cached.form?.sets === undefined) === (form?.sets === undefined) &&
    cached.entry.startMs === startMs &&
    cached.entry.msn === msn &&
    cached.entry.discontinuitySequence === discontinuitySequence &&
    cached.entry.isDiscontinuity === isDiscontinuity
  )
    return cached.entry;
  const current = make();
  positions.set(key, { entry: current, source, form });
  keepNewest(positions, MAX_POSITIONS);
  return current;
}

function positionsOf(entry: WindowSegment): Map<number, Shown> {
  const cached = shared.get(entry);
  if (cached) return cached;
  const positions = new Map<number, Shown>();
  shared.set(entry, positions);
  return positions;
}
