import { keepNewest } from '../../../lib/limits/newest.ts';
import { trackNumber } from '../../../media/track.ts';
import type { Segment, WindowSegment } from '../../../segment/segment-window.ts';
import { PlacedSegment, type PartCut } from '../../clips/clip-parts.ts';

/** Place of a segment for a viewer. */
export type SegmentPlace = Pick<WindowSegment, 'msn' | 'startMs' | 'isDiscontinuity' | 'discontinuitySequence'>;

/** Form of a clip segment in a stream. */
export interface ClipForm extends PartCut {
  /** Parameter sets before each key frame. */
  readonly sets: Uint8Array | undefined;
}

/** A placed segment with its source. */
interface Shown {
  readonly entry: WindowSegment;
  readonly of: Segment;
  readonly form: ClipForm | undefined;
}

/** Maximum number of cached places of one segment, the newest: a clip outlasts the viewers who saw it. */
const MAX_PLACES = 64;

const shared = new WeakMap<WindowSegment, Map<number, Shown>>();

/**
 * Segment of the stream at another place. Viewers with the same place share the object, so that renderers cache its
 * lines once.
 */
export function shownSegment(entry: WindowSegment, segment: Segment, place: SegmentPlace): WindowSegment {
  const made = (): WindowSegment => ({ segment, ...place, address: entry.address });
  return placed(entry, { of: segment, form: undefined }, place, made);
}

/**
 * Segment of a clip at a place, with the times of that place; shared in the same way.
 * @param addressPrefix prefix of the clip
 */
export function shownClip(
  entry: WindowSegment,
  form: ClipForm,
  addressPrefix: string,
  place: SegmentPlace,
): WindowSegment {
  return placed(entry, { of: entry.segment, form }, place, () => {
    const { msn, startMs } = place;
    const shiftMs = startMs - entry.segment.startMs;
    const segment = new PlacedSegment(entry.segment, form, { msn, startMs, shiftMs, sets: form.sets });
    return { segment, ...place, address: `${addressPrefix}${startMs}` };
  });
}

function placed(
  entry: WindowSegment,
  { of, form }: Pick<Shown, 'of' | 'form'>,
  { msn, startMs, isDiscontinuity, discontinuitySequence }: SegmentPlace,
  make: () => WindowSegment,
): WindowSegment {
  const places = placesOf(entry);
  // A numeric key, because this runs for each segment of each viewer. On a collision the newer place replaces the
  // older.
  const track = form ? trackNumber(form.track.id) % 64 : 0;
  const key = ((msn * 1024 + (discontinuitySequence % 1024)) * 2 + (isDiscontinuity ? 1 : 0)) * 64 + track;
  const known = places.get(key);
  if (
    known?.of === of &&
    known.form?.track.id === form?.track.id &&
    known.form?.partMs === form?.partMs &&
    (known.form?.sets === undefined) === (form?.sets === undefined) &&
    known.entry.startMs === startMs &&
    known.entry.msn === msn &&
    known.entry.discontinuitySequence === discontinuitySequence &&
    known.entry.isDiscontinuity === isDiscontinuity
  )
    return known.entry;
  const made = make();
  places.set(key, { entry: made, of, form });
  keepNewest(places, MAX_PLACES);
  return made;
}

function placesOf(entry: WindowSegment): Map<number, Shown> {
  const known = shared.get(entry);
  if (known) return known;
  const places = new Map<number, Shown>();
  shared.set(entry, places);
  return places;
}
