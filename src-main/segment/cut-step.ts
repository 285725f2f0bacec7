import { isInterruption, isSameFormat, type Track } from '../media/track.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import type { StreamSplice } from '../stream/stream-splice.ts';
import { NEW_PLAYLIST_MS, targetDurationOf } from './segmenter-options.ts';
import { ticksToUs, type CutPoint, type Instant } from './cut-points.ts';
import type { CutEffects } from './cut-effects.ts';
import type { CutEvent, CutState } from './cut-state.ts';
import type { TrackState } from './track-state.ts';
import {
  addUnit,
  declareGap,
  endOf,
  endSegment,
  endSegmentAt,
  endTicksOf,
  endUsOf,
  nextTrackStates,
  openSegment,
} from './cut-track.ts';

/** After this long without a unit the track that leads is taken for silent, and another one cuts the segments. */
const LEADER_SILENT_US = 3_000_000;
/** And so long others wait by the wall clock, because a jump of the input's clock is no silence: the leader will jump next. */
const LEADER_SILENT_WALL_MS = 1000;
/** More than this is never kept waiting, for inputs that come faster than their time. */
const MAX_HELD_US = 12_000_000;
/** So far behind the others a track may be without losing anything. */
const LAG_US = 2_500_000;
/** Longest step from one picture to the next that another track waits for without holding its units back. */
const MAX_STEP_US = 250_000;
/** Two segments never start closer than this, even if a new track begins before the end of the others. */
const LEAST_SEGMENT_US = 100_000;
/** A pause of all tracks in the times of the input that is longer than this is an interruption, if the open segment would exceed the target duration with it. */
const PAUSE_US = 1_000_000;
/** Frames of a track that a pause lasts at least: the next picture of a slide show is no pause. */
const PAUSE_FRAMES = 4;
/** Excess over the target duration that rounding allows, in milliseconds, without a frame of another track that ends a little later. */
const ROUNDING_MS = 475;
/** Share by which the estimated distance of random access points falls with each shorter one. */
const GOP_DECAY = 0.75;
/** Half a frame early is still on the cut point: the frames of two tracks never start at the same instant. */
const SLACK_US = { audio: 12_000, video: 20_000 };
/** So far before the next picture of the leader pictures of others know their segment: what is nearer may belong to the cut point there. */
const WAIT_US = { audio: 0, video: 20_001 };

/**
 * What becomes of the state with an event, and what has to be done: the whole segmenter without bytes, clock and memory. The state
 * is changed in place; what is to be done comes back in order and has to be carried out before the unit of the event is over.
 *
 * | event | state before | what happens |
 * |---|---|---|
 * | `unit` of the track that leads | any | it is `heard`; a random access point in time is a cut point: the segment ends, the next one opens |
 * | `unit` of another track | lead `heard`, before its horizon | goes into the segment of its time |
 * | | else | is held; when the leader is silent for too long, its track leads |
 * | `discontinuity`, `idle` | any | all that is held and open ends; lead is `awaited`, the next segment `interrupted`; a rewind empties the window |
 * | `tracks` | a track changes its format, or none stays | the same, and those that changed or are new begin |
 * | | else | those that go end; new ones begin with the next segment; the others go on |
 * | `close` | any | all that is held and open ends; no tracks are left |
 * | `splice` | any | is passed on; the first random access point at it or behind it is a cut point, where it is not taken back |
 */
export function step(state: CutState, event: CutEvent): CutEffects {
  state.effects.clear();
  switch (event.type) {
    case 'unit':
      takeUnit(state, event.unit);
      break;
    case 'tracks':
      changeTracks(state, event.tracks);
      break;
    case 'discontinuity':
      endAll(state);
      interrupt(state);
      if (event.isRewind) rewind(state);
      break;
    case 'idle':
      endAll(state);
      interrupt(state);
      state.effects.push({ type: 'idle' });
      break;
    case 'close':
      endAll(state);
      state.tracks = [];
      state.leader = undefined;
      state.effects.push({ type: 'close' });
      break;
    case 'splice':
      takeSplice(state, event.splice);
      break;
    default:
      event satisfies never;
  }
  return state.effects;
}

function takeUnit(state: CutState, unit: StreamUnit): void {
  const track = trackOf(state, unit.track);
  if (!track || isTooLateToWaitFor(state, track, unit)) return;
  const us = ticksToUs(unit.dtsTicks, track.track.timescale);
  if (isPause(state, track, us)) {
    endAll(state);
    interrupt(state);
  }
  state.newestUs = Math.max(state.newestUs, us);
  const { lead } = state;
  // The leader takes over as soon as it is there, or back.
  if (track === state.leader || (lead.phase === 'heard' && track === lead.track)) leadWith(state, track, unit);
  else follow(state, track, unit);
  if (state.heldCount > 0) releaseHeld(state);
}

/** Whether nothing came for so long in the times of the input that the open segment ends before it, and what follows is a discontinuity. */
function isPause(state: CutState, { frameTicks, track }: TrackState, us: number): boolean {
  const { newestUs, cutPoints } = state;
  const pauseUs = us - newestUs;
  if (newestUs === 0 || pauseUs <= Math.max(PAUSE_US, PAUSE_FRAMES * ticksToUs(frameTicks, track.timescale)))
    return false;
  return us - (cutPoints.newest?.startUs ?? us) > longestUs(state);
}

/** Longest that a segment may be, in microseconds: its length rounds to no more than the target duration, once that is settled. */
function longestUs({ options, longestMs }: CutState): number {
  const { segmentMs, maxSegmentMs } = options;
  if (longestMs === 0) return maxSegmentMs * 1000;
  const roundsToTargetMs = targetDurationOf(segmentMs, longestMs) * 1000 + ROUNDING_MS;
  return Math.min(maxSegmentMs, Math.max(roundsToTargetMs, longestMs)) * 1000;
}

function changeTracks(state: CutState, tracks: readonly Track[]): void {
  const before = state.tracks;
  const known = before.map(({ track }) => track);
  const isInterrupted = isInterruption(known, tracks);
  if (isInterrupted) endAll(state);
  else for (const one of before) if (!tracks.some((track) => isSameFormat(one.track, track))) endTrack(state, one);
  state.tracks = nextTrackStates(state, tracks);
  state.leader = state.tracks.find(({ isAudio }) => !isAudio) ?? state.tracks[0];
  state.effects.push({ type: 'tracks', tracks: state.tracks });
  if (isInterrupted) interrupt(state);
  else handOver(state);
}

/** Another track may have to lead now: it goes on with what it has kept waiting. */
function handOver(state: CutState): void {
  const { leader, lead, tracks } = state;
  if (lead.phase === 'heard' && !tracks.includes(lead.track)) state.lead = { phase: 'awaited', sinceUs: undefined };
  if (!leader) return;
  for (let unit = take(state, leader); unit; unit = take(state, leader)) leadWith(state, leader, unit);
  releaseHeld(state);
}

/** Ends a track that goes, with whatever it has given. */
function endTrack(state: CutState, track: TrackState): void {
  placeHeld(state, track);
  if (track.segment.phase === 'open') endSegment(state, track, track.segment);
}

function trackOf({ tracks }: CutState, track: Track): TrackState | undefined {
  for (const state of tracks) if (state.track === track) return state;
  return undefined;
}

/** Takes a unit of the track that leads. */
function leadWith(state: CutState, track: TrackState, unit: StreamUnit): void {
  hear(state, track, unit);
  if (unit.isRandomAccess) measureGop(state, track, unit);
  const { cutPoints } = state;
  const { newest } = cutPoints;
  const isBehind = newest !== undefined && (newest.msn > track.msn || track.segment.phase === 'ended');
  if (isBehind && !mayCutAfter(state, newest, track, unit)) {
    if (track.patience > 0) {
      if (unit.isRandomAccess && isLongEnough(state, newest, track, unit)) track.patience--;
      return;
    }
    // Another track has cut while this one was silent, or not there: it joins that segment, or waits behind it, before it cuts the next one.
    place(state, track, unit, true);
    return;
  }
  if (mayCut(state, track, unit)) cut(state, track, unit);
  else if (track.segment.phase === 'open') addUnit(state, track, track.segment, unit);
}

/**
 * Whether a picture is of no use, and its track must not hold up the others: what they have open is as long as it may get, and the
 * track still has no random access point to begin with.
 */
function isTooLateToWaitFor({ cutPoints, options }: CutState, track: TrackState, unit: StreamUnit): boolean {
  const { newest } = cutPoints;
  if (!newest || unit.isRandomAccess || track.segment.phase === 'open') return false;
  return ticksToUs(unit.ptsTicks, track.track.timescale) - newest.startUs > options.maxSegmentMs * 1000;
}

/** Notes how far the track that leads has come. */
function hear(state: CutState, track: TrackState, { dtsTicks, arrivedMs }: StreamUnit): void {
  const us = ticksToUs(dtsTicks, track.track.timescale);
  const { lead } = state;
  if (lead.phase === 'awaited') {
    const frameUs = ticksToUs(track.frameTicks, track.track.timescale);
    const waitUs = track.segment.phase === 'open' ? Math.min(frameUs, MAX_STEP_US) : MAX_STEP_US;
    state.lead = { phase: 'heard', track, lastUs: us, horizonUs: us + waitUs, heardMs: arrivedMs };
    return;
  }
  const stepUs = us - lead.lastUs;
  lead.track = track;
  lead.lastUs = us;
  lead.horizonUs = us + (stepUs > 0 && stepUs < MAX_STEP_US ? stepUs : MAX_STEP_US);
  lead.heardMs = arrivedMs;
}

/** Estimates the distance of random access points: a longer one counts at once, shorter ones gradually. */
function measureGop(state: CutState, { track }: TrackState, { ptsTicks }: StreamUnit): void {
  const us = ticksToUs(ptsTicks, track.timescale);
  if (state.lastRandomAccessUs > 0) state.gopUs = Math.max(us - state.lastRandomAccessUs, state.gopUs * GOP_DECAY);
  state.lastRandomAccessUs = us;
}

/** Whether a segment starts with this unit of the track that leads. */
function mayCut(state: CutState, track: TrackState, unit: StreamUnit): boolean {
  const { segment } = track;
  const { timescale } = track.track;
  if (segment.phase === 'ended') {
    if (!unit.isRandomAccess || unit.dtsTicks < segment.endTicks) return false;
    return ticksToUs(unit.ptsTicks, timescale) >= state.lastStartUs + LEAST_SEGMENT_US;
  }
  const elapsedTicks = unit.dtsTicks - segment.startTicks;
  if (unit.isRandomAccess && elapsedTicks >= leastSegmentTicks(state, track)) return true;
  if (unit.isRandomAccess && isSpliceHere(state, track, unit)) return true;
  const elapsedUs = ticksToUs(elapsedTicks, timescale);
  // The next random access point would come too late for the target duration.
  const isLast = unit.isRandomAccess && state.longestMs > 0 && elapsedUs + state.gopUs > longestUs(state);
  if (isLast && ticksToUs(unit.ptsTicks, timescale) >= state.lastStartUs + LEAST_SEGMENT_US) return true;
  if (elapsedUs + ticksToUs(track.frameTicks, timescale) <= longestUs(state)) return false;
  const detail = `No key frame for ${(elapsedTicks / timescale).toFixed(1)} s.`;
  state.effects.push({ type: 'problem', problem: { code: 'gop_too_long', detail } });
  return true;
}

/** Whether a splice point has come: its segment starts with the first random access point at it or behind it. */
function isSpliceHere({ splices, lastStartUs }: CutState, track: TrackState, unit: StreamUnit): boolean {
  const us = ticksToUs(unit.ptsTicks, track.track.timescale);
  return splices.nextUs <= us + earlyUs(track) && us >= lastStartUs + LEAST_SEGMENT_US;
}

/** How much too early a frame may begin that is the one at a splice point: less than half of its length. */
function earlyUs({ track, frameTicks }: TrackState): number {
  return ticksToUs(frameTicks, track.timescale) / 2;
}

/** Announces a splice point, and remembers it for the segment that has to start there. */
function takeSplice(state: CutState, { isUntimed, ...splice }: StreamSplice): void {
  const section = Buffer.from(splice.section).toString('base64');
  state.effects.push({ ...splice, type: 'splice', section });
  if (isUntimed) return;
  state.splices.announce(splice, state.lastStartUs, state.lead.phase === 'heard' ? state.lead.lastUs : 0);
}

/** From when on a segment may end: a key frame a moment early is taken, and of sound the nearest frame. */
function leastSegmentTicks({ options }: CutState, { isAudio, frameTicks, track: { timescale } }: TrackState): number {
  const { segmentMs, partMs } = options;
  return Math.ceil((segmentMs * timescale - (isAudio ? frameTicks * 500 : (partMs * timescale) / 10)) / 1000);
}

/** Whether `unit` of a leader that was silent, or came later, may start the segment after `newest`: no track has anything of that time yet. */
function mayCutAfter(state: CutState, newest: CutPoint, track: TrackState, unit: StreamUnit): boolean {
  if (!unit.isRandomAccess || !isLongEnough(state, newest, track, unit)) return false;
  const us = ticksToUs(unit.ptsTicks, track.track.timescale);
  const mayReach = (other: TrackState): number =>
    // The frame at the cut point belongs to the segment before it, as with every leader that goes on.
    SLACK_US[other.track.content] + (track.patience > 0 ? ticksToUs(other.frameTicks, other.track.timescale) : 0);
  return state.tracks.every(
    (other) =>
      other === track || other.segment.phase === 'ended' || endUsOf(other, other.segment) <= us + mayReach(other),
  );
}

/** Whether a segment may end with `unit`, as far as its length goes. */
function isLongEnough(state: CutState, { startUs }: CutPoint, track: TrackState, { ptsTicks }: StreamUnit): boolean {
  const { timescale } = track.track;
  return ticksToUs(ptsTicks, timescale) - startUs >= ticksToUs(leastSegmentTicks(state, track), timescale);
}

/** Ends the open segment of the track that leads, starts the next one with `unit`, and trims the window. */
function cut(state: CutState, track: TrackState, unit: StreamUnit): void {
  const { cutPoints, budget } = state;
  const start: Instant = { ticks: unit.ptsTicks, timescale: track.track.timescale };
  const startUs = ticksToUs(start.ticks, start.timescale);
  const msn = state.nextMsn++;
  const cutPoint: CutPoint = { msn, start, startUs, isDiscontinuity: state.continuity === 'interrupted' };
  state.continuity = 'running';
  state.lastStartUs = Math.max(state.lastStartUs, startUs);
  state.splices.forgetUntil(startUs + earlyUs(track));
  cutPoints.add(cutPoint);
  if (track.segment.phase === 'open' && track.msn === msn - 1) {
    const { startTicks } = track.segment;
    // A segment that a splice point or an interruption cut short says nothing about the distance of key frames.
    if (unit.dtsTicks - startTicks >= leastSegmentTicks(state, track))
      state.longestMs = Math.max(state.longestMs, ((unit.dtsTicks - startTicks) * 1000) / track.track.timescale);
    endSegment(state, track, track.segment, unit.dtsTicks);
  } else if (cutPoint.isDiscontinuity && startUs - state.endedUs > NEW_PLAYLIST_MS * 1000) state.longestMs = 0;
  catchUp(state, track, msn);
  openSegment(state, track, unit, cutPoint);
  const firstMsn = trim(state, msn);
  const lagMsn = cutPoints.at(startUs - LAG_US)?.msn ?? 0;
  let leastMsn = msn;
  for (const other of state.tracks) {
    if (other !== track) catchUp(state, other, Math.max(budget.firstMsn, lagMsn));
    leastMsn = Math.min(leastMsn, other.msn);
  }
  cutPoints.forgetBefore(leastMsn);
  if (firstMsn !== undefined) state.effects.push({ type: 'trim', firstMsn });
}

/** Lets go of what no longer belongs into the window when `openMsn` opens; returns its first segment where that changes. */
function trim(state: CutState, openMsn: number): number | undefined {
  const { budget } = state;
  const before = budget.firstMsn;
  budget.trimByCount(openMsn);
  if (budget.isExceeded) {
    const detail = `the window held ${Math.round(budget.bytes / 1e6)} MB`;
    state.effects.push({ type: 'problem', problem: { code: 'frames_too_large', detail } });
    budget.trimByBytes(openMsn);
  }
  return budget.firstMsn === before ? undefined : budget.firstMsn;
}

/** Takes a unit of another track than the one that leads. */
function follow(state: CutState, track: TrackState, unit: StreamUnit): void {
  const { lead } = state;
  const { held } = track;
  const us = ticksToUs(unit.dtsTicks, track.track.timescale);
  if (lead.phase === 'heard' && held.length === 0 && us + WAIT_US[track.track.content] <= lead.horizonUs) {
    place(state, track, unit, false, us);
    return;
  }
  held.push({ ...unit, data: new Uint8Array(unit.data) });
  state.heldCount++;
  if (isLeadSilent(state, us, unit.arrivedMs, held[0]?.arrivedMs ?? unit.arrivedMs))
    for (let waiting = take(state, track); waiting; waiting = take(state, track)) leadWith(state, track, waiting);
}

/** Whether a unit of another track is so far ahead of the one that leads, or waits for so long, that its own track has to lead. */
function isLeadSilent({ lead }: CutState, us: number, nowMs: number, waitsSinceMs: number): boolean {
  const aheadUs = us - (lead.phase === 'heard' ? lead.horizonUs : (lead.sinceUs ??= us));
  const waitedMs = nowMs - (lead.phase === 'heard' ? Math.max(lead.heardMs, waitsSinceMs) : waitsSinceMs);
  return (aheadUs > LEADER_SILENT_US && waitedMs > LEADER_SILENT_WALL_MS) || aheadUs > MAX_HELD_US;
}

/** Lets units go on whose time the track that leads has reached. */
function releaseHeld(state: CutState): void {
  const { lead } = state;
  if (lead.phase === 'awaited') return;
  for (const track of state.tracks) {
    if (track === lead.track) continue;
    const { timescale, content } = track.track;
    const untilUs = lead.horizonUs - WAIT_US[content];
    for (let unit = track.held[0]; unit && ticksToUs(unit.dtsTicks, timescale) <= untilUs; unit = track.held[0]) {
      take(state, track);
      place(state, track, unit, false);
    }
  }
}

function take(state: CutState, { held }: TrackState): StreamUnit | undefined {
  const unit = held.shift();
  if (unit) state.heldCount--;
  return unit;
}

/** Puts a unit into the segment of its time; `dtsUs` is its decoding time where that is known. */
function place(
  state: CutState,
  track: TrackState,
  unit: StreamUnit,
  startsOnlyAtRandomAccess: boolean,
  dtsUs?: number,
): void {
  const { timescale, content } = track.track;
  const us = dtsUs !== undefined && unit.ptsTicks === unit.dtsTicks ? dtsUs : ticksToUs(unit.ptsTicks, timescale);
  const cutPoint = state.cutPoints.at(us + SLACK_US[content]);
  if (cutPoint && cutPoint.msn > track.msn) {
    const { segment } = track;
    const isOpen = segment.phase === 'open';
    const mayStart = unit.isRandomAccess || (isOpen && !startsOnlyAtRandomAccess);
    if (isOpen && mayStart && cutPoint.msn === track.msn + 1) endSegment(state, track, segment, unit.dtsTicks);
    else catchUp(state, track, mayStart ? cutPoint.msn : track.msn + 1);
    if (!mayStart || unit.dtsTicks < endTicksOf(track)) return;
    openSegment(state, track, unit, cutPoint);
    state.lastStartUs = Math.max(state.lastStartUs, us);
    return;
  }
  if (track.segment.phase === 'open') addUnit(state, track, track.segment, unit);
}

/** Ends what the track has open before segment `msn`, and fills with gaps what it never gave. */
function catchUp(state: CutState, track: TrackState, msn: number): void {
  const { cutPoints } = state;
  for (
    let cutPoint = cutPoints.from(track.msn);
    cutPoint && cutPoint.msn < msn;
    cutPoint = cutPoints.get(cutPoint.msn + 1)
  ) {
    const next = cutPoints.get(cutPoint.msn + 1);
    if (!next) return;
    if (cutPoint.msn > track.msn) declareGap(state, track, cutPoint, next.start);
    else if (cutPoint.msn === track.msn && track.segment.phase === 'open')
      endSegmentAt(state, track, track.segment, next.start);
  }
}

/** From here on nothing continues what was before. */
function interrupt(state: CutState): void {
  state.endedUs = Math.max(state.endedUs, state.newestUs);
  state.newestUs = 0;
  state.lastRandomAccessUs = 0;
  if (state.continuity === 'running') state.continuity = 'interrupted';
  state.lead = { phase: 'awaited', sinceUs: undefined };
  state.cutPoints.clear();
}

/** What was cut lies in the future: it leaves the window, and nothing is held against its times. */
function rewind(state: CutState): void {
  const { nextMsn } = state;
  state.lastStartUs = 0;
  state.splices.clear();
  state.budget.trimAll(nextMsn);
  for (const track of state.tracks) track.segment = { phase: 'ended', endTicks: 0 };
  state.effects.push({ type: 'rewind', firstMsn: nextMsn });
}

/** Nothing more is waited for: all that waits goes into the segments that there are. */
function placeHeld(state: CutState, track: TrackState): void {
  for (let unit = take(state, track); unit; unit = take(state, track)) place(state, track, unit, false);
}

/** Ends all tracks with the same segment: nothing more belongs to it. */
function endAll(state: CutState): void {
  for (const track of state.tracks) placeHeld(state, track);
  const { newest } = state.cutPoints;
  let end = newest?.start;
  let endUs = 0;
  for (const track of state.tracks) {
    if (newest) catchUp(state, track, newest.msn);
    const { segment } = track;
    if (segment.phase === 'ended') continue;
    const trackEnd = endOf(track, segment);
    const trackEndUs = endUsOf(track, segment);
    endSegment(state, track, segment);
    if (trackEndUs > endUs) [end, endUs] = [trackEnd, trackEndUs];
  }
  if (newest && end)
    for (const track of state.tracks) if (track.msn < newest.msn) declareGap(state, track, newest, end);
  state.cutPoints.clear();
}
