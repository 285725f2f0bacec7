import { inBandSets } from '../media/codecs/nal/in-band-sets.ts';
import { usualFrameTicks } from '../media/timing/frame-samples.ts';
import {
  addDurationToChunkShape,
  addToChunkShape,
  chunkBytes,
  startChunkShape,
} from '../media/containers/isobmff/chunk-shape.ts';
import { convertTicks } from '../media/timing/ticks.ts';
import { unitRate } from '../media/timing/unit-ticks.ts';
import { isSameFormat, trackNumber, type Track } from '../media/track.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import { ticksToUs, type CutPoint, type Instant } from './cut-points.ts';
import { settleLongest, type CutState } from './cut-state.ts';

import type { OpenPart, OpenSegment, TrackState } from './track-state.ts';

/** Maximum number of samples in a part, more than any usual frame rate gives. */
const MAX_PART_SAMPLES = 512;
/** Maximum excess of a segment over its maximum length at which it still rounds to the target duration, in seconds. */
const ROUNDING_MARGIN_S = 0.02;
/** Maximum number of random access points that a new leader skips to find one at which a segment can start in all tracks. */
const MAX_PATIENCE = 2;
/**
 * Maximum length of the last part of a segment, relative to the nominal length. The other parts still have 85 % of
 * the length of the longest one (RFC 8216bis 4.4.4.9).
 */
const LONGEST_PART = 1.1;

/**
 * Returns the states of new tracks. Tracks in the same format continue; all others start with their own init segment, after the
 * open segment.
 */
export function nextTrackStates(state: CutState, tracks: readonly Track[]): TrackState[] {
  const { newest } = state.cutPoints;
  const staying = state.tracks.filter((one) => tracks.some((track) => isSameFormat(one.track, track)));
  const usedIndexes = new Set(staying.map(({ index }) => index));
  const initId = state.nextInitId;
  return tracks.map((track) => {
    const before = state.tracks.find((other) => other.track.id === track.id);
    if (before && staying.includes(before)) {
      before.track = track;
      // After an interruption, segments may have a different length.
      if (!newest) before.usualTicks = 0;
      return before;
    }
    let index = 0;
    while (usedIndexes.has(index)) index++;
    usedIndexes.add(index);
    state.nextInitId = initId + 1;
    const sets = before || state.continuity !== 'fresh' ? setsOf(track) : undefined;
    const changesFormat = newest !== undefined && before !== undefined;
    const msn = changesFormat ? before.msn : (newest?.msn ?? -1);
    return newTrackState({ track, index, initId, msn, changesFormat, before, sets }, state.options.partMs);
  });
}

/** Description of a track that starts. */
interface TrackStart {
  readonly track: Track;
  readonly index: number;
  readonly initId: number;
  /** Media sequence number of the open segment of the other tracks, or of the last segment in the old format; -1 if none. */
  readonly msn: number;
  readonly changesFormat: boolean;
  /** State of the same track before its format changed. */
  readonly before: TrackState | undefined;
  readonly sets: Uint8Array | undefined;
}

/**
 * Parameter sets in the form of a sample. FFmpeg keeps the first init segment of fragmented MP4 over a change of format ("Found
 * duplicated MOOV Atom"), and would decode new media with old parameter sets.
 */
function setsOf(track: Track): Uint8Array | undefined {
  const sets = track.content === 'video' ? inBandSets(track) : undefined;
  return sets?.lengthSize === SAMPLE_LENGTH_SIZE ? sets.bytes : undefined;
}

/** Size of the length field before each NAL unit in a sample, in bytes. */
const SAMPLE_LENGTH_SIZE = 4;

/** Returns the state of a track without media. @param partMs longest part */
function newTrackState(
  { track, index, initId, msn, changesFormat, before, sets }: TrackStart,
  partMs: number,
): TrackState {
  const partTicks = Math.round((partMs * track.timescale) / 1000);
  const isAudio = track.content === 'audio';
  const same = before?.track.timescale === track.timescale ? before : undefined;
  const guessed = isAudio ? usualFrameTicks(track) : Math.round(track.timescale / (unitRate(track) ?? 25));
  const frameTicks = same?.frameTicks ?? guessed;
  const usualSamples = Math.ceil(partTicks / Math.max(1, frameTicks)) + 8;
  return {
    index,
    track,
    initId,
    number: trackNumber(track.id),
    isAudio,
    sets,
    changesFormat,
    partTicks,
    partSamples: Math.min(MAX_PART_SAMPLES, Math.max(32, usualSamples)),
    msn,
    patience: msn < 0 ? 0 : MAX_PATIENCE,
    // The segment of the track may have ended at the cut point of another track, after its own last sample.
    segment: { phase: 'ended', endTicks: same ? endTicksOf(same) : 0 },
    usualTicks: 0,
    frameTicks,
    pending: [],
  };
}

/** End of the samples in decoding time, assuming that the last sample is as long as the previous one. */
export function endTicksOf({ segment, frameTicks }: TrackState): number {
  return segment.phase === 'open' ? segment.lastTicks + frameTicks : segment.endTicks;
}

/** Presentation time at which an open segment ends. */
export function endOf({ track, frameTicks }: TrackState, segment: OpenSegment): Instant {
  return { ticks: segment.lastTicks + frameTicks + segment.shiftTicks, timescale: track.timescale };
}

/** `endOf` in microseconds of UTC. */
export function endUsOf(track: TrackState, segment: OpenSegment): number {
  const { ticks, timescale } = endOf(track, segment);
  return ticksToUs(ticks, timescale);
}

/** Opens a segment that starts with `unit`. The segment before it must be ended. */
export function openSegment(state: CutState, track: TrackState, given: StreamUnit, cutPoint: CutPoint): void {
  const unit = withSets(track, given);
  const { msn, isDiscontinuity } = cutPoint;
  const { ptsTicks, dtsTicks } = unit;
  const { timescale } = track.track;
  const lateUs = ticksToUs(ptsTicks, timescale) - cutPoint.startUs;
  track.msn = msn;
  track.patience = 0;
  track.changesFormat = false;
  track.segment = {
    phase: 'open',
    shiftTicks: ptsTicks - dtsTicks,
    startTicks: dtsTicks,
    lateTicks: lateUs > 0 ? Math.round((lateUs * timescale) / 1e6) : 0,
    lastTicks: dtsTicks,
    part: newPart(unit, 0),
  };
  track.frameTicks = unit.lastsTicks;
  if (unit.isRandomAccess && track === state.leader) state.decodableMsn = msn;
  const { id: trackId } = track.track;
  const { initId } = track;
  state.effects.push({ type: 'segment-start', trackId, msn, startTicks: ptsTicks, initId, isDiscontinuity });
  state.effects.pushSample(track, unit);
}

/** Adds the parameter sets to the first picture of a format. */
function withSets(track: TrackState, unit: StreamUnit): StreamUnit {
  const { sets } = track;
  track.sets = undefined;
  if (!sets || !unit.isRandomAccess) return unit;
  const data = new Uint8Array(sets.length + unit.data.length);
  data.set(sets);
  data.set(unit.data, sets.length);
  return { ...unit, data };
}

/** Adds a unit to the open segment. Closes the open part first if the unit does not fit. */
export function addUnit(state: CutState, track: TrackState, segment: OpenSegment, unit: StreamUnit): void {
  const { dtsTicks } = unit;
  const { part } = segment;
  const stepTicks = dtsTicks - segment.lastTicks;
  if (part.shape.count === track.partSamples || isPartDue(track, segment, dtsTicks, stepTicks)) {
    closePart(state, track, segment, dtsTicks);
    segment.part = newPart(unit, part.index + 1);
  } else {
    addDurationToChunkShape(part.shape, stepTicks);
    addToChunkShape(part.shape, unit.data.length, unit.ptsTicks - dtsTicks, unit.isRandomAccess);
  }
  segment.lastTicks = dtsTicks;
  track.frameTicks = unit.lastsTicks;
  state.effects.pushSample(track, unit);
}

/**
 * Ends the open segment.
 *
 * @param nextTicks decoding time of the unit that follows; absent when nothing follows
 */
export function endSegment(
  state: CutState,
  track: TrackState,
  segment: OpenSegment,
  nextTicks = segment.lastTicks + track.frameTicks,
): void {
  const endTicks = Math.min(nextTicks, latestEndTicks(state, track, segment, nextTicks));
  closePart(state, track, segment, endTicks);
  const durationTicks = endTicks - segment.startTicks;
  noteLength(state, track, durationTicks);
  track.segment = { phase: 'ended', endTicks };
  track.usualTicks = durationTicks;
  const { msn } = track;
  state.effects.push({ type: 'segment-end', trackId: track.track.id, msn, durationTicks, isGap: false });
}

/** Minimum length of a segment in ticks, less a margin: a slightly early key frame is accepted, for audio the nearest frame. */
export function minSegmentTicks(
  { options }: CutState,
  { isAudio, frameTicks, track: { timescale } }: TrackState,
): number {
  const { segmentMs, partMs } = options;
  return Math.ceil((segmentMs * timescale - (isAudio ? frameTicks * 500 : (partMs * timescale) / 10)) / 1000);
}

/** Settles the target duration. A segment cut short by a splice point or an interruption does not show the GOP length. */
function noteLength(state: CutState, track: TrackState, lengthTicks: number): void {
  if (lengthTicks >= minSegmentTicks(state, track))
    settleLongest(state, Math.max(state.longestMs, (lengthTicks * 1000) / track.track.timescale));
}

/**
 * Latest end of a segment whose last frame is extended because later frames are missing; limited by the target
 * duration.
 */
function latestEndTicks(state: CutState, track: TrackState, segment: OpenSegment, nextTicks: number): number {
  const { timescale } = track.track;
  const longestTicks = segment.startTicks + Math.floor((state.maxSegmentUs * timescale) / 1e6);
  const overS = (nextTicks - longestTicks) / timescale;
  if (overS <= ROUNDING_MARGIN_S) return nextTicks;
  return Math.max(segment.lastTicks + track.frameTicks, longestTicks);
}

/** Ends the open segment at a cut point that the track has not reached: its last sample is extended. */
export function endSegmentAt(state: CutState, track: TrackState, segment: OpenSegment, end: Instant): void {
  const dtsTicks = convertTicks(end.ticks, end.timescale, track.track.timescale) - segment.shiftTicks;
  endSegment(state, track, segment, dtsTicks > segment.lastTicks ? dtsTicks : undefined);
}

/** Declares a segment without media: the track was silent from its cut point until `end`. */
export function declareGap(state: CutState, track: TrackState, cutPoint: CutPoint, end: Instant): void {
  const { id: trackId, timescale } = track.track;
  const { msn, start, isDiscontinuity } = cutPoint;
  const { initId } = track;
  const startTicks = convertTicks(start.ticks, start.timescale, timescale);
  const longestTicks = Math.floor((state.maxSegmentUs * timescale) / 1e6);
  const actualTicks = convertTicks(end.ticks, end.timescale, timescale) - startTicks;
  const durationTicks = Math.max(1, Math.min(actualTicks, longestTicks));
  track.msn = msn;
  noteLength(state, track, durationTicks);
  state.effects.push({ type: 'segment-start', trackId, msn, startTicks, initId, isDiscontinuity });
  state.effects.push({ type: 'segment-end', trackId, msn, durationTicks, isGap: true });
}

function newPart(unit: StreamUnit, index: number): OpenPart {
  const { dtsTicks, arrivedMs, isRandomAccess } = unit;
  return {
    index,
    dtsTicks,
    arrivedMs,
    isIndependent: isRandomAccess,
    shape: startChunkShape(unit.data.length, unit.ptsTicks - dtsTicks, isRandomAccess),
  };
}

function closePart(state: CutState, track: TrackState, segment: OpenSegment, endTicks: number): void {
  const { index, dtsTicks, arrivedMs, isIndependent, shape } = segment.part;
  const { msn, isAudio } = track;
  const { id: trackId, content } = track.track;
  addDurationToChunkShape(shape, endTicks - segment.lastTicks);
  state.budget.add(msn, chunkBytes(shape, { content, hasWall: !isAudio }));
  state.effects.push({
    type: 'part-end',
    track,
    startTicks: dtsTicks,
    endTicks,
    shape,
    part: {
      type: 'part',
      trackId,
      msn,
      index,
      startTicks: dtsTicks + segment.shiftTicks,
      durationTicks: endTicks - dtsTicks,
      isIndependent,
      arrivedMs,
    },
  });
}

/**
 * Whether the open part ends before the next unit. Parts form a grid from the start of the segment, so that segments of the
 * nominal length divide evenly: a short last part would cost every player one more request. For the same reason a part stays open
 * if the segment will end soon.
 */
function isPartDue(track: TrackState, segment: OpenSegment, dtsTicks: number, stepTicks: number): boolean {
  const { partTicks, usualTicks } = track;
  const { startTicks, part } = segment;
  const elapsed = dtsTicks - startTicks;
  const cell = Math.round((part.dtsTicks - startTicks) / partTicks);
  const due = (cell + 1) * partTicks - Math.min(stepTicks, partTicks) / 2;
  if (elapsed < due) return false;
  const longest = partTicks * LONGEST_PART;
  const isLast = elapsed < usualTicks + partTicks / 4 && startTicks + usualTicks - part.dtsTicks <= longest;
  return !isLast || dtsTicks + stepTicks - part.dtsTicks > longest;
}
