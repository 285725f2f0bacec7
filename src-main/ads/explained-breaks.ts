import type { AdExplanation } from '../../src-preload/contract/api/ad-objects.ts';
import { clipMs, segmentsOf, type Showing, type Skip } from './clip.ts';

type Break = AdExplanation['breaks'][number];

/** What each break of a viewer has shown, sent and left out, oldest first. */
export function breaksOf(showings: readonly Showing[], skips: readonly Skip[]): Break[] {
  const ids = new Map<string, { readonly placement: Break['placement']; atMs: number }>();
  const add = (id: string, placement: Break['placement'], atMs: number): void => {
    const known = ids.get(id);
    if (known) known.atMs = Math.min(known.atMs, atMs);
    else ids.set(id, { placement, atMs });
  };
  for (const { breakId, placement, startMs } of showings) add(breakId, placement, startMs);
  for (const { breakId, placement, atMs } of skips) add(breakId, placement, atMs);
  return [...ids]
    .map(([id, { placement, atMs }]) => ({
      ...{ break_id: id, placement, at: Math.round(atMs) },
      clips: showings.filter(({ breakId }) => breakId === id).map(shownClip),
      skipped: skips
        .filter(({ breakId }) => breakId === id)
        .map(({ path, reason, detail }) => ({ path, reason, detail })),
    }))
    .sort((a, b) => a.at - b.at);
}

function shownClip({ clip, startMs, count, delivered }: Showing): Break['clips'][number] {
  return {
    ...{ path: clip.path, at: Math.round(startMs), clip_segments: segmentsOf(clip).length },
    ...{ planned_segments: count, planned_duration: clipMs(clip, count) / 1000, sent_segments: delivered.count },
  };
}
