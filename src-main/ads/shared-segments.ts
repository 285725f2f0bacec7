import type { WindowSegment } from '../segment/segment-window.ts';

/** Where a segment stands for a viewer. */
type SegmentPlace = Pick<WindowSegment, 'msn' | 'startMs' | 'isDiscontinuity' | 'discontinuitySequence'>;

/** Places of one segment that are kept, the newest ones: a clip outlasts those who were shown it. */
const MOST_PLACES = 64;

const shared = new WeakMap<WindowSegment, Map<number, WindowSegment>>();

/** A segment in another place. Viewers who have it in the same place have the same object, and renderers keep its lines once for all of them. */
export function sharedSegment(entry: WindowSegment, place: SegmentPlace): WindowSegment {
  const { msn, startMs, isDiscontinuity, discontinuitySequence } = place;
  const places = placesOf(entry);
  // A number, because this is done for each segment of each viewer; another place with the same one takes its place.
  const key = (msn * 1024 + (discontinuitySequence % 1024)) * 2 + (isDiscontinuity ? 1 : 0);
  const known = places.get(key);
  if (
    known?.segment === entry.segment &&
    known.startMs === startMs &&
    known.msn === msn &&
    known.discontinuitySequence === discontinuitySequence &&
    known.isDiscontinuity === isDiscontinuity
  )
    return known;
  const { segment, address } = entry;
  const made = { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address };
  places.set(key, made);
  if (places.size > MOST_PLACES)
    for (const oldest of places.keys()) {
      places.delete(oldest);
      break;
    }
  return made;
}

function placesOf(entry: WindowSegment): Map<number, WindowSegment> {
  const known = shared.get(entry);
  if (known) return known;
  const places = new Map<number, WindowSegment>();
  shared.set(entry, places);
  return places;
}
