import { isInterruption, isSameFormat, type Track } from '../media/track.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import type { StreamSplice } from '../stream/stream-splice.ts';
import { NEW_PLAYLIST_MS } from './segmenter-options.ts';
import { ticksToUs, type CutPoint, type Instant } from './cut-points.ts';
import type { CutEffects } from './cut-effects.ts';
import { settleLongest, type CutEvent, type CutState } from './cut-state.ts';
import type { OpenSegment, TrackState } from './track-state.ts';
import {
  addUnit,
  declareGap,
  endOf,
  endSegment,
  endSegmentAt,
  endTicksOf,
  endUsOf,
  minSegmentTicks,
  nextTrackStates,
  openSegment,
} from './cut-track.ts';

/** Lag after which the leading track counts as silent, so that another track cuts the segments. */
const LEADER_SILENT_US = 3_000_000;
/**
 * Minimum wall-clock time that a unit of another track waits before the leading track counts as silent. After a jump of the
 * input clock, the leading track is not silent, but will jump too.
 */
const LEADER_SILENT_WALL_MS = 1000;
/** Maximum duration of waiting units, for inputs that arrive faster than real time. */
const MAX_WAITING_US = 12_000_000;
/** Maximum lag of a track before its units are dropped. */
const LAG_US = 2_500_000;
/** Maximum step between pictures that still extends the horizon. */
const MAX_STEP_US = 250_000;
/** Minimum distance of two segment starts, even if a new track starts before the end of the other tracks. */
const MIN_SEGMENT_US = 100_000;
/** A pause of all tracks longer than this is an interruption if the open segment would exceed the target duration. */
const PAUSE_US = 1_000_000;
/** Minimum length of a pause in frames, so that a slide show has none. */
const PAUSE_FRAMES = 4;
/** Maximum time that a change of audio format waits for a picture with the usual distance between decoding and presentation. */
const MAX_CHANGE_WAIT_US = 500_000;
/** Decay of the estimated GOP length for each shorter GOP. */
const GOP_DECAY = 0.75;
/**
 * Maximum time by which a unit may precede a cut point and still belong to its segment: half a frame. Frames of two
 * tracks never start at the same instant.
 */
const SLACK_US = { audio: 12_000, video: 20_000 };
/**
 * Safety margin before the horizon: a picture of another track that is closer may belong to the cut point at the
 * horizon.
 */
const WAIT_US = { audio: 0, video: 20_001 };

/**
 * The pure segmenter, without bytes, clock and memory. Changes the state in place and returns effects, which must be carried out in
 * order before the unit of the event is released.
 *
 * | event | state before | result |
 * |---|---|---|
 * | `unit` of the leading track | any | lead is `received`; a random access point in time is a cut point: the segment ends, the next one opens |
 * | `unit` of another track | lead `received`, before its horizon | goes into the segment of its time |
 * | | else | waits; if the leader is silent for too long, this track leads |
 * | | makes the newest segment too long | waits for the cut point if the lead track has media in that segment, or else is the cut point |
 * | `discontinuity`, `idle` | any | all segments end; lead is `awaited`, the next segment `interrupted`; a rewind empties the window |
 * | `tracks` | a track changes its format, or none stays | the same, and changed or new tracks start |
 * | | else | removed tracks end; new tracks start with the next segment; all others continue |
 * | `close` | any | all segments end; no tracks are left |
 * | `splice` | any | is passed on; the first random access point at or after it is a cut point, unless it is cancelled |
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
  if (!track) return;
  const us = ticksToUs(unit.dtsTicks, track.track.timescale);
  if (isPause(state, track, us)) {
    if (state.lead.phase === 'awaited') leadWithWaiting(state);
    endAll(state);
    interrupt(state);
  }
  // A picture before the first random access point of its track is no media.
  if (unit.isRandomAccess || track.segment.phase === 'open') state.newestUs = Math.max(state.newestUs, us);
  const { lead } = state;
  // The leader leads as soon as it delivers units, even after a pause.
  if (track === state.leader || (lead.phase === 'received' && track === lead.track)) leadWith(state, track, unit);
  else follow(state, track, unit);
  if (state.waitingCount > 0) releaseWaiting(state);
}

/** Whether the pause before `us` is an interruption. */
function isPause(state: CutState, { frameTicks, track }: TrackState, us: number): boolean {
  const { newestUs, cutPoints } = state;
  const pauseUs = us - newestUs;
  if (newestUs === 0 || pauseUs <= Math.max(PAUSE_US, PAUSE_FRAMES * ticksToUs(frameTicks, track.timescale)))
    return false;
  return us - (cutPoints.newest?.startUs ?? oldestWaitingUs(state)) > state.maxSegmentUs;
}

/** Decoding time of the oldest waiting unit; Infinity if none waits. */
function oldestWaitingUs({ tracks }: CutState): number {
  return Math.min(
    ...tracks.map(({ pending: [unit], track }) => (unit ? ticksToUs(unit.dtsTicks, track.timescale) : Infinity)),
  );
}

/** Lets the track with the oldest waiting unit lead, because the leader has no units of this time. */
function leadWithWaiting(state: CutState): void {
  const track = state.tracks.find(({ pending }) => pending.length > 0);
  if (!track) return;
  for (let unit = take(state, track); unit; unit = take(state, track)) leadWith(state, track, unit);
}

function changeTracks(state: CutState, tracks: readonly Track[]): void {
  const before = state.tracks;
  const earlier = before.map(({ track }) => track);
  const isInterrupted = isInterruption(earlier, tracks);
  if (isInterrupted) endForChange(state, tracks);
  else {
    for (const one of before) {
      if (tracks.some((track) => isSameFormat(one.track, track))) continue;
      endTrack(state, one);
      if (tracks.some(({ id }) => id === one.track.id)) cutForChange(state, one);
    }
  }
  state.tracks = nextTrackStates(state, tracks);
  const leader = state.tracks.find(({ isAudio }) => !isAudio) ?? state.tracks[0];
  if (leader !== state.leader) state.decodableMsn = undefined;
  state.leader = leader;
  state.effects.push({ type: 'tracks', tracks: state.tracks });
  if (isInterrupted) interrupt(state);
  else handOver(state);
}

/**
 * Ends all tracks before another picture format. Waiting units that would need a segment of their own must not start one: the first
 * picture of the new format may be earlier. They are placed after this picture if their track continues.
 */
function endForChange(state: CutState, tracks: readonly Track[]): void {
  for (const one of state.tracks) {
    const { timescale } = one.track;
    const later: StreamUnit[] = [];
    for (let unit = take(state, one); unit; unit = take(state, one)) {
      if (later.length > 0 || isTooLong(state, one, ticksToUs(unit.ptsTicks, timescale))) later.push(unit);
      else place(state, one, unit, false);
    }
    if (!tracks.some((track) => isSameFormat(one.track, track))) continue;
    one.pending.push(...later);
    state.waitingCount += later.length;
  }
  endOpen(state);
}

/** Requests a segment at the end of a track that continues in another format, because a segment has one init segment. */
function cutForChange(state: CutState, track: TrackState): void {
  if (track.msn !== state.cutPoints.newest?.msn) return;
  state.changedUs = Math.min(state.changedUs, ticksToUs(endTicksOf(track), track.track.timescale));
}

/** Lets the new leader continue with its waiting units. */
function handOver(state: CutState): void {
  const { leader, lead, tracks } = state;
  if (lead.phase === 'received' && !tracks.includes(lead.track)) state.lead = { phase: 'awaited', sinceUs: undefined };
  if (!leader) return;
  for (let unit = take(state, leader); unit; unit = take(state, leader)) leadWith(state, leader, unit);
  releaseWaiting(state);
}

/** Ends a track that is removed. */
function endTrack(state: CutState, track: TrackState): void {
  placeWaiting(state, track);
  if (track.segment.phase === 'open') endSegment(state, track, track.segment);
}

function trackOf({ tracks }: CutState, track: Track): TrackState | undefined {
  for (const state of tracks) if (state.track === track) return state;
  return undefined;
}

/** Takes a unit of the leading track. */
function leadWith(state: CutState, track: TrackState, unit: StreamUnit): void {
  if (track === state.leader) returnFromSilence(state, track, unit);
  noteProgress(state, track, unit);
  if (unit.isRandomAccess && track === state.leader) measureGop(state, track, unit);
  const { cutPoints } = state;
  const { newest } = cutPoints;
  const isLagging = newest !== undefined && (newest.msn > track.msn || track.segment.phase === 'ended');
  if (isLagging && !mayCutAfter(state, newest, track, unit)) {
    if (track.patience > 0) {
      if (unit.isRandomAccess && isLongEnough(state, newest, track, unit)) track.patience--;
      return;
    }
    // Another track has cut meanwhile: this track joins that segment, or waits for its end, before it cuts the next segment.
    place(state, track, unit, !isAfterSilence(track, unit));
    return;
  }
  if (mayCut(state, track, unit)) cut(state, track, unit);
  else if (track.segment.phase === 'open') addUnit(state, track, track.segment, unit);
}

/**
 * Whether `unit` follows a silence in the open segment of its track: its media then continues even without a random
 * access point.
 */
function isAfterSilence({ segment, track: { timescale } }: TrackState, { dtsTicks }: StreamUnit): boolean {
  return segment.phase === 'open' && ticksToUs(dtsTicks - segment.lastTicks, timescale) > MAX_STEP_US;
}

/**
 * When the leader returns after a pause that makes the newest segment too long, lets waiting units of another track cut the
 * segments of the pause.
 */
function returnFromSilence(state: CutState, track: TrackState, unit: StreamUnit): void {
  const { lead } = state;
  if (lead.phase !== 'received') return;
  const us = ticksToUs(unit.dtsTicks, track.track.timescale);
  // The distance of random access points over a pause is no GOP.
  if (lead.track !== track) state.lastRandomAccessUs = 0;
  if (us - lead.lastUs <= MAX_STEP_US || !isTooLong(state, track, us)) return;
  const other = state.tracks.find(({ pending }) => pending.length > 0);
  if (!other) return;
  state.lastRandomAccessUs = 0;
  for (
    let next = other.pending[0];
    next && ticksToUs(next.dtsTicks, other.track.timescale) < us;
    next = other.pending[0]
  ) {
    take(state, other);
    leadWith(state, other, next);
  }
}

/** Whether the newest segment would be too long with a unit of a track at `us`, counted from its cut point and from its first unit. */
function isTooLong(state: CutState, { frameTicks, segment, track, msn }: TrackState, us: number): boolean {
  const { newest } = state.cutPoints;
  if (!newest) return false;
  const { timescale } = track;
  const isLeading = state.lead.phase === 'received' && state.lead.track.track === track;
  const latestUs = (isLeading ? state.maxSegmentUs : state.maxFollowerUs) - ticksToUs(frameTicks, timescale);
  if (us - newest.startUs > latestUs) return true;
  const isOpen = segment.phase === 'open' && msn === newest.msn;
  return isOpen && us - ticksToUs(segment.startTicks + segment.shiftTicks, timescale) > latestUs;
}

/** Whether the leading track has media in the newest segment, so that it will end the segment in time. */
function endsInTime({ lead, cutPoints }: CutState): boolean {
  if (lead.phase !== 'received') return false;
  const { segment, msn } = lead.track;
  return segment.phase === 'open' && msn === cutPoints.newest?.msn;
}

/** Records the progress of the leading track. */
function noteProgress(state: CutState, track: TrackState, { dtsTicks, arrivedMs }: StreamUnit): void {
  const us = ticksToUs(dtsTicks, track.track.timescale);
  const { lead } = state;
  if (lead.phase === 'awaited') {
    const frameUs = ticksToUs(track.frameTicks, track.track.timescale);
    const waitUs = track.segment.phase === 'open' ? Math.min(frameUs, MAX_STEP_US) : MAX_STEP_US;
    state.lead = { phase: 'received', track, lastUs: us, horizonUs: us + waitUs, receivedMs: arrivedMs };
    return;
  }
  const stepUs = us - lead.lastUs;
  lead.track = track;
  lead.lastUs = us;
  lead.horizonUs = us + (stepUs > 0 && stepUs < MAX_STEP_US ? stepUs : MAX_STEP_US);
  lead.receivedMs = arrivedMs;
}

/** Estimates the GOP length: a longer GOP counts at once, shorter ones gradually. */
function measureGop(state: CutState, { track }: TrackState, { ptsTicks }: StreamUnit): void {
  const us = ticksToUs(ptsTicks, track.timescale);
  if (state.lastRandomAccessUs > 0) state.gopUs = Math.max(us - state.lastRandomAccessUs, state.gopUs * GOP_DECAY);
  state.lastRandomAccessUs = us;
}

/** Whether a segment starts with this unit of the leading track. */
function mayCut(state: CutState, track: TrackState, unit: StreamUnit): boolean {
  const { segment } = track;
  const { timescale } = track.track;
  if (segment.phase === 'ended') {
    if (!unit.isRandomAccess || unit.dtsTicks < segment.endTicks) return false;
    return ticksToUs(unit.ptsTicks, timescale) >= state.lastStartUs + MIN_SEGMENT_US;
  }
  const elapsedTicks = unit.dtsTicks - segment.startTicks + segment.lateTicks;
  if (unit.isRandomAccess && elapsedTicks >= minSegmentTicks(state, track)) return true;
  if (unit.isRandomAccess && isSpliceHere(state, track, unit)) return true;
  if (isChangeHere(state, track, segment, unit)) return true;
  const elapsedUs = ticksToUs(elapsedTicks, timescale);
  // The next random access point would be too late for the target duration.
  const gopUs = track === state.leader ? state.gopUs : 0;
  const isLast = unit.isRandomAccess && state.longestMs > 0 && elapsedUs + gopUs > state.maxSegmentUs;
  if (isLast && ticksToUs(unit.ptsTicks, timescale) >= state.lastStartUs + MIN_SEGMENT_US) return true;
  if (elapsedUs + ticksToUs(track.frameTicks, timescale) <= state.maxSegmentUs) return false;
  const detail = `No key frame for ${(elapsedTicks / timescale).toFixed(1)} s.`;
  state.effects.push({ type: 'problem', problem: { code: 'gop_too_long', detail } });
  return true;
}

/** Whether a splice point is due: its segment starts at the first random access point at or after the splice point. */
function isSpliceHere({ splices, lastStartUs }: CutState, track: TrackState, unit: StreamUnit): boolean {
  const us = ticksToUs(unit.ptsTicks, track.track.timescale);
  return splices.nextUs <= us + earlyUs(track) && us >= lastStartUs + MIN_SEGMENT_US;
}

/** Whether a segment starts with `unit` because sound has changed its format. Prefers a picture with the usual composition offset. */
function isChangeHere(state: CutState, { track }: TrackState, segment: OpenSegment, unit: StreamUnit): boolean {
  const { changedUs, lastStartUs } = state;
  const us = ticksToUs(unit.ptsTicks, track.timescale);
  if (us + SLACK_US.audio < changedUs || us < lastStartUs + MIN_SEGMENT_US) return false;
  return unit.ptsTicks - unit.dtsTicks === segment.shiftTicks || us > changedUs + MAX_CHANGE_WAIT_US;
}

/** Half a frame in microseconds: the frame at a splice point may start earlier by this much. */
function earlyUs({ track, frameTicks }: TrackState): number {
  return ticksToUs(frameTicks, track.timescale) / 2;
}

/** Announces a splice point, and requests a segment that starts there. */
function takeSplice(state: CutState, { isUntimed, ...splice }: StreamSplice): void {
  const section = Buffer.from(splice.section).toString('base64');
  state.effects.push({ ...splice, type: 'splice', section });
  if (isUntimed) return;
  state.splices.announce(splice, state.lastStartUs, state.lead.phase === 'received' ? state.lead.lastUs : 0);
}

/**
 * Whether `unit` of a new or formerly silent leader may start the segment after `newest`: no other track has media of that time
 * yet.
 */
function mayCutAfter(state: CutState, newest: CutPoint, track: TrackState, unit: StreamUnit): boolean {
  if (!unit.isRandomAccess || !isLongEnough(state, newest, track, unit)) return false;
  const us = ticksToUs(unit.ptsTicks, track.track.timescale);
  const mayReach = (other: TrackState): number =>
    // The frame at the cut point belongs to the segment before it.
    SLACK_US[other.track.content] + (track.patience > 0 ? ticksToUs(other.frameTicks, other.track.timescale) : 0);
  return state.tracks.every(
    (other) =>
      other === track || other.segment.phase === 'ended' || endUsOf(other, other.segment) <= us + mayReach(other),
  );
}

/** Whether the segment is long enough to end before `unit`. */
function isLongEnough(state: CutState, { startUs }: CutPoint, track: TrackState, { ptsTicks }: StreamUnit): boolean {
  const { timescale } = track.track;
  return ticksToUs(ptsTicks, timescale) - startUs >= ticksToUs(minSegmentTicks(state, track), timescale);
}

/** Ends the open segment of the leading track, starts the next one with `unit`, and trims the window. */
function cut(state: CutState, track: TrackState, unit: StreamUnit): void {
  const { cutPoints, budget } = state;
  const start: Instant = { ticks: unit.ptsTicks, timescale: track.track.timescale };
  const startUs = ticksToUs(start.ticks, start.timescale);
  const msn = state.nextMsn++;
  const cutPoint: CutPoint = { msn, start, startUs, isDiscontinuity: state.continuity === 'interrupted' };
  state.continuity = 'running';
  state.lastStartUs = Math.max(state.lastStartUs, startUs);
  state.splices.forgetUntil(startUs + earlyUs(track));
  state.changedUs = Infinity;
  cutPoints.add(cutPoint);
  if (track.segment.phase === 'open' && track.msn === msn - 1) endSegment(state, track, track.segment, unit.dtsTicks);
  else if (cutPoint.isDiscontinuity && startUs - state.endedUs > NEW_PLAYLIST_MS * 1000) settleLongest(state, 0);
  catchUp(state, track, msn);
  // Without media of the leader, players start with the other tracks.
  const decodableMsn = track === state.leader ? (state.decodableMsn ?? msn) : msn;
  openSegment(state, track, unit, cutPoint);
  const firstMsn = trim(state, msn, decodableMsn);
  const lagMsn = cutPoints.at(startUs - LAG_US)?.msn ?? 0;
  let lowestMsn = msn;
  for (const other of state.tracks) {
    if (other !== track) catchUp(state, other, Math.max(budget.firstMsn, lagMsn));
    lowestMsn = Math.min(lowestMsn, other.msn);
  }
  cutPoints.forgetBefore(lowestMsn);
  if (firstMsn !== undefined) state.effects.push({ type: 'trim', firstMsn });
}

/**
 * Trims the window when `openMsn` opens, down to `decodableMsn`, the newest complete segment with which decoding can start.
 * Returns its first segment if that changes.
 */
function trim(state: CutState, openMsn: number, decodableMsn: number): number | undefined {
  const { budget, options } = state;
  const before = budget.firstMsn;
  // Without key frames the window would never end.
  const longestGop = Math.ceil(options.maxSegmentMs / options.segmentMs);
  budget.trimByCount(openMsn, Math.max(decodableMsn, openMsn - options.segmentCount - longestGop));
  if (budget.isExceeded) {
    const detail = `the window held ${Math.round(budget.bytes / 1e6)} MB`;
    state.effects.push({ type: 'problem', problem: { code: 'frames_too_large', detail } });
    budget.trimByBytes(openMsn);
  }
  return budget.firstMsn === before ? undefined : budget.firstMsn;
}

/** Takes a unit of a track that does not lead. */
function follow(state: CutState, track: TrackState, unit: StreamUnit): void {
  const { lead } = state;
  const { pending } = track;
  const us = ticksToUs(unit.dtsTicks, track.track.timescale);
  if (
    lead.phase === 'received' &&
    pending.length === 0 &&
    !isCutAwaited(state, track, us) &&
    !(isTooLong(state, track, us) && endsInTime(state)) &&
    us + WAIT_US[track.track.content] <= lead.horizonUs
  ) {
    place(state, track, unit, false, us);
    return;
  }
  pending.push({ ...unit, data: new Uint8Array(unit.data) });
  state.waitingCount++;
  if (isLeadSilent(state, us, unit.arrivedMs, pending[0]?.arrivedMs ?? unit.arrivedMs))
    for (let waiting = take(state, track); waiting; waiting = take(state, track)) leadWith(state, track, waiting);
}

/** Whether the leading track counts as silent: a unit of another track is too far ahead of it, or has waited too long. */
function isLeadSilent({ lead }: CutState, us: number, nowMs: number, waitsSinceMs: number): boolean {
  const aheadUs = us - (lead.phase === 'received' ? lead.horizonUs : (lead.sinceUs ??= us));
  const waitedMs = nowMs - (lead.phase === 'received' ? Math.max(lead.receivedMs, waitsSinceMs) : waitsSinceMs);
  return (aheadUs > LEADER_SILENT_US && waitedMs > LEADER_SILENT_WALL_MS) || aheadUs > MAX_WAITING_US;
}

/** Adds the waiting units that the leading track has reached to their segments. */
function releaseWaiting(state: CutState): void {
  const { lead } = state;
  if (lead.phase === 'awaited') return;
  for (const track of state.tracks) {
    if (track === lead.track) continue;
    const { timescale, content } = track.track;
    const untilUs = lead.horizonUs - WAIT_US[content];
    for (let unit = track.pending[0]; unit; unit = track.pending[0]) {
      const us = ticksToUs(unit.dtsTicks, timescale);
      if (us > untilUs || isCutAwaited(state, track, us)) break;
      if (isTooLong(state, track, us) && endsInTime(state)) break;
      take(state, track);
      place(state, track, unit, false);
    }
  }
}

function take(state: CutState, { pending }: TrackState): StreamUnit | undefined {
  const unit = pending.shift();
  if (unit) state.waitingCount--;
  return unit;
}

/** Whether a track with a new format still waits for its segment. */
function isCutAwaited({ changedUs, cutPoints }: CutState, { changesFormat, msn }: TrackState, us: number): boolean {
  return changesFormat && changedUs < Infinity && (cutPoints.at(us)?.msn ?? msn) <= msn;
}

/** Adds a unit to the segment of its time. `dtsUs`: its decoding time, if already computed. */
function place(
  state: CutState,
  track: TrackState,
  unit: StreamUnit,
  startsOnlyAtRandomAccess: boolean,
  dtsUs?: number,
): void {
  const { timescale, content } = track.track;
  const us = dtsUs !== undefined && unit.ptsTicks === unit.dtsTicks ? dtsUs : ticksToUs(unit.ptsTicks, timescale);
  const { cutPoints } = state;
  const found = cutPoints.at(us + SLACK_US[content]);
  const next = found?.msn === track.msn ? cutPoints.get(track.msn + 1) : undefined;
  const isNext = found?.msn === track.msn && (track.changesFormat || (next !== undefined && isFull(state, track, us)));
  const cutPoint = isNext ? next : found;
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
  if (track.segment.phase !== 'open') return;
  if (track.msn === cutPoints.newest?.msn && isTooLong(state, track, us)) cut(state, track, unit);
  else addUnit(state, track, track.segment, unit);
}

/** Whether the open segment of a track would be too long with a unit at `us`: frames are missing. */
function isFull(state: CutState, { frameTicks, segment, track: { timescale } }: TrackState, us: number): boolean {
  if (segment.phase !== 'open') return false;
  return us - ticksToUs(segment.startTicks - frameTicks, timescale) > state.maxFollowerUs;
}

/** Ends the open segment of a track before segment `msn`, and declares a gap for each segment without media. */
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

/** Marks the next segment as a discontinuity. */
function interrupt(state: CutState): void {
  state.endedUs = Math.max(state.endedUs, state.newestUs);
  state.newestUs = 0;
  state.lastRandomAccessUs = 0;
  state.changedUs = Infinity;
  if (state.continuity === 'running') state.continuity = 'interrupted';
  state.lead = { phase: 'awaited', sinceUs: undefined };
  state.cutPoints.clear();
}

/** Empties the window after a rewind, because its segments are in the future. */
function rewind(state: CutState): void {
  const { nextMsn } = state;
  state.lastStartUs = 0;
  state.splices.clear();
  state.budget.trimAll(nextMsn);
  for (const track of state.tracks) track.segment = { phase: 'ended', endTicks: 0 };
  state.effects.push({ type: 'rewind', firstMsn: nextMsn });
}

/** Adds all waiting units to existing segments. */
function placeWaiting(state: CutState, track: TrackState): void {
  for (let unit = take(state, track); unit; unit = take(state, track)) place(state, track, unit, false);
}

/** Ends all tracks with the same segment, after all waiting units. */
function endAll(state: CutState): void {
  for (const track of state.tracks) placeWaiting(state, track);
  endOpen(state);
}

/** Ends all tracks with the same segment. */
function endOpen(state: CutState): void {
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
