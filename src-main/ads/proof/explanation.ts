import type { AdExplanation } from '../../../src-preload/contract/api/ad-objects.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';
import type { Session } from '../../sessions/session.ts';
import { differences } from '../clips/clip-fit.ts';
import { clipMs, segmentsOf, type Clip, type MissingClip, type Skip } from '../clips/clip.ts';
import type { ReadDecision, Remark } from '../decision/read-decision.ts';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Showing } from './showing.ts';

type Break = AdExplanation['breaks'][number];

/** Inputs of an explanation besides the answer. */
interface Inputs {
  readonly clips: AdExplanation['clips'];
  readonly showings: readonly Showing[];
  readonly skips: readonly Skip[];
}

/** Explains which clips a viewer was shown and why. */
export function explanationOf(
  session: Session,
  { faults, notes: deviations }: ReadDecision,
  { clips, showings, skips }: Inputs,
): AdExplanation {
  const notes = [...deviations, ...unansweredNotes(session)];
  return {
    session_id: session.id,
    answer: session.adInject ?? null,
    faults: faults.map(({ detail }) => detail),
    notes: notes.map(({ detail }) => detail),
    explanations: [...faults, ...notes].map(({ explanation }) => explanation),
    clips,
    breaks: breaksOf(showings, skips),
    shown: showings.map(({ clip, placement, startMs, count, isSlate, delivered }) => ({
      path: clip.path,
      placement,
      at: Math.round(startMs),
      duration: clipMs(clip, count) / 1000,
      is_slate: isSlate,
      is_sent: delivered.count > 0,
    })),
    skipped: skips.map(({ atMs, differences: found, breakId: _breakId, explanation = null, ...skip }) => ({
      ...skip,
      explanation,
      at: Math.round(atMs),
      differences: [...found],
    })),
  };
}

/** Note on a request that the backend did not answer. */
function unansweredNotes({ unanswered, adInject }: Session): Remark[] {
  if (unanswered === undefined) return [];
  const code = adInject === undefined ? 'backend_silent_nothing' : 'backend_silent_last';
  return [because(code, { explanation: unanswered })];
}

/** Current state of a clip in an answer. @param stream stream that the clip has to match */
export function clipState(clip: Clip | MissingClip, stream: SegmentWindow | undefined): AdExplanation['clips'][number] {
  const { path } = clip;
  if ('reason' in clip) {
    const { reason: state, detail, explanation = null } = clip;
    return { path, state, detail, explanation, duration: null, differences: [] };
  }
  const found = stream ? [...differences(clip.window, stream)] : [];
  const why = found.length > 0 ? because('ad_clip_differs') : stream && sharedAudio(clip, stream);
  return {
    path,
    state: found.length > 0 ? 'clip_differs' : 'ready',
    detail: why?.detail ?? '',
    explanation: why?.explanation ?? null,
    duration: clipMs(clip, segmentsOf(clip).length) / 1000,
    differences: found,
  };
}

/** Note on the audio tracks of a stream that use the first audio track of a clip. */
function sharedAudio(clip: Clip, stream: SegmentWindow): Explained | undefined {
  const clipTracks = new Set(clip.window.tracks.map(({ track }) => track.id));
  const others = stream.tracks.map(({ track }) => track.id).filter((id) => !clipTracks.has(id));
  return others.length === 0 ? undefined : because('ad_clip_audio_shared', { tracks: others.join(', ') });
}

/** Shown, sent and skipped clips of each break of a viewer, oldest first. */
function breaksOf(showings: readonly Showing[], skips: readonly Skip[]): Break[] {
  const ids = new Map<string, { readonly placement: Break['placement']; atMs: number }>();
  const add = (id: string, placement: Break['placement'], atMs: number): void => {
    const existing = ids.get(id);
    if (existing) existing.atMs = Math.min(existing.atMs, atMs);
    else ids.set(id, { placement, atMs });
  };
  for (const { breakId, placement, startMs } of showings) add(breakId, placement, startMs);
  for (const { breakId, placement, atMs } of skips) add(breakId, placement, atMs);
  return [...ids]
    .map(([id, { placement, atMs }]) => ({
      break_id: id,
      placement,
      at: Math.round(atMs),
      clips: showings.filter(({ breakId }) => breakId === id).map(shownClip),
      skipped: skips
        .filter(({ breakId }) => breakId === id)
        .map(({ path, reason, detail, explanation = null }) => ({ path, reason, detail, explanation })),
    }))
    .sort((a, b) => a.at - b.at);
}

function shownClip({ clip, startMs, count, delivered }: Showing): Break['clips'][number] {
  return {
    path: clip.path,
    at: Math.round(startMs),
    clip_segments: segmentsOf(clip).length,
    planned_segments: count,
    planned_duration: clipMs(clip, count) / 1000,
    sent_segments: delivered.count,
  };
}
