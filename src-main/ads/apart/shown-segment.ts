import { keepNewest } from '../../lib/limits/newest.ts';
import { trackNumber } from '../../media/track.ts';
import type { Segment, WindowSegment } from '../../segment/segment-window.ts';
import { PlacedSegment, type PartCut } from './clip-parts.ts';

/** Where a segment stands for a viewer. */
export type SegmentPlace = Pick<WindowSegment, 'msn' | 'startMs' | 'isDiscontinuity' | 'discontinuitySequence'>;

/** How a segment of a clip stands in a stream. */
export interface ClipForm extends PartCut {
  /** Parameter sets that stand before each of its key frames. */
  readonly sets: Uint8Array | undefined;
}

/** A segment in a place, and what it was made for. */
interface Shown {
  readonly entry: WindowSegment;
  readonly of: Segment;
  readonly form: ClipForm | undefined;
}

/** Places of one segment that are kept, the newest ones: a clip outlasts those who were shown it. */
const MOST_PLACES = 64;

const shared = new WeakMap<WindowSegment, Map<number, Shown>>();

/** A segment of the stream in another place. Viewers who have it in the same place have the same object, and renderers keep its lines once for all of them. */
export function shownSegment(entry: WindowSegment, segment: Segment, place: SegmentPlace): WindowSegment {
  const made = (): WindowSegment => ({ segment, ...place, address: entry.address });
  return placed(entry, { of: segment, form: undefined }, place, made);
}

/** A segment of a clip in a place, with the times of that: shared in the same way. @param addressPrefix of the clip */
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
  // A number, because this is done for each segment of each viewer; another place with the same one takes its place.
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
  keepNewest(places, MOST_PLACES);
  return made;
}

function placesOf(entry: WindowSegment): Map<number, Shown> {
  const known = shared.get(entry);
  if (known) return known;
  const places = new Map<number, Shown>();
  shared.set(entry, places);
  return places;
}
