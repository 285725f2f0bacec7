import type { StreamAlarm } from '../../src-preload/contract/api/alarm-object.ts';
import type { StreamRules } from './alarm-rules.ts';
import type { Fault } from '../../src-preload/contract/api/alarm-words.ts';
import type { Reading } from './alarm-watch.ts';
import { contentConditions, untilOf, type SeenContent } from './content.ts';
import { isOutside } from './limits.ts';
import { loudnessConditions } from './loudness/loudness-conditions.ts';

/** What the server knows of a stream without decoding it. */
export interface StreamFacts {
  readonly name: string;
  /** Whether it should give frames: it runs, and an encoder that it waits for has been there. */
  readonly isExpected: boolean;
  /** Until when the rest is known, epoch milliseconds: on a busy machine a thread says late how its streams are. */
  readonly knownMs: number;
  /** When its last frame came, epoch milliseconds; when it was opened where none came yet. */
  readonly lastFrameMs: number;
  /** How old the newest media is that viewers can have, in milliseconds; null where there is none. */
  readonly latencyMs: number | null;
  readonly bitrateKbit: number;
  /** Frames a second; null without video, or while that is not known. */
  readonly fps: number | null;
  /** Its tracks with codecs and sizes, in words; empty while they are not known. */
  readonly format: string;
  readonly errorsPerSecond: number;
  /** Places in a transport stream where packets are missing, and clock references that were late or jumped (ETSI TR 101 290). */
  readonly continuityErrorsPerSecond: number;
  readonly clockErrorsPerSecond: number;
  /** When the newest of each came, epoch milliseconds. */
  readonly lastErrorsMs: { readonly all: number; readonly continuity: number; readonly clock: number };
  /** Whether it should be recorded at this moment. */
  readonly isRecordingExpected: boolean;
  readonly isRecording: boolean;
  /** When its last splice point came, epoch milliseconds; when it was opened where none came yet. */
  readonly lastSpliceMs: number;
  /** What was seen and heard lately; null where nothing was looked at. */
  readonly content: SeenContent | null;
}

/** What is remembered of a stream from one round to the next. */
export interface StreamMemory {
  readonly format: string;
  readonly formatBefore: string;
  readonly formatChangedMs: number;
}

/** A stream that is seen for the first time. */
export const NOTHING_REMEMBERED: StreamMemory = { format: '', formatBefore: '', formatChangedMs: 0 };

/** Frames that are older are missing, in milliseconds: of slow pictures, several a second are not. */
const FRAME_MS = 1500;
/** How long a change of format counts as one, in milliseconds: longer than a round. */
const CHANGE_MS = 2500;
/** How long rates are measured before they count, in milliseconds. */
const SETTLING_MS = 5000;

/** Kinds of alarms by what is counted in a second. */
const ERRORS = [
  { alarm: 'stream_errors', rate: 'errorsPerSecond', last: 'all', fault: 'packets_damaged' },
  { alarm: 'continuity', rate: 'continuityErrorsPerSecond', last: 'continuity', fault: 'packets_missing' },
  { alarm: 'pcr', rate: 'clockErrorsPerSecond', last: 'clock', fault: 'clock_errors' },
] as const;

/** What a round finds of one condition. */
export type StreamCondition = Reading &
  Fault & {
    readonly alarm: StreamAlarm;
    /** What was measured, where the condition has a value; null while it is not known. */
    readonly value?: number | null;
  };

/** What is to be remembered of a stream. */
export function remember(facts: StreamFacts, memory: StreamMemory, nowMs: number): StreamMemory {
  const { format } = facts;
  if (format === '' || format === memory.format) return memory;
  return { format, formatBefore: memory.format, formatChangedMs: memory.format === '' ? 0 : nowMs };
}

/** The conditions of a stream that are asked for. @param openedMs when its frames began, epoch milliseconds */
export function* streamConditions(
  facts: StreamFacts,
  memory: StreamMemory,
  rules: StreamRules,
  nowMs: number,
  openedMs: number,
): Generator<StreamCondition> {
  const { isExpected, lastFrameMs, knownMs } = facts;
  const isSilent = knownMs - lastFrameMs > FRAME_MS;
  const isGiving = isExpected && !isSilent;
  const isSettled = isGiving && nowMs - openedMs >= SETTLING_MS;
  if (rules.no_input.isOn)
    yield {
      alarm: 'no_input',
      isFaulty: isExpected && isSilent,
      ...{ sinceMs: lastFrameMs, untilMs: knownMs },
      ...{ fault: 'no_frames', facts: {} },
    };
  if (rules.bitrate.isOn) {
    const { min, max } = rules.bitrate;
    const isFaulty = isSettled && isOutside(facts.bitrateKbit, min, max);
    yield {
      alarm: 'bitrate',
      isFaulty,
      value: facts.bitrateKbit,
      ...{ fault: 'bitrate_out_of_range', facts: { value: facts.bitrateKbit, min, max } },
    };
  }
  if (rules.frame_rate.isOn && facts.fps !== null) {
    const { min, max } = rules.frame_rate;
    const isFaulty = isSettled && isOutside(facts.fps, min, max);
    yield {
      alarm: 'frame_rate',
      isFaulty,
      value: facts.fps,
      ...{ fault: 'frame_rate_out_of_range', facts: { value: facts.fps, min, max } },
    };
  }
  if (rules.latency.isOn && facts.latencyMs !== null) {
    const { min, max } = rules.latency;
    const isFaulty = isSettled && isOutside(facts.latencyMs, min, max);
    yield {
      alarm: 'latency',
      isFaulty,
      value: facts.latencyMs,
      ...{ fault: 'latency_out_of_range', facts: { value: facts.latencyMs, min, max } },
    };
  }
  if (rules.format_change.isOn) {
    const isFaulty = memory.formatChangedMs > 0 && nowMs - memory.formatChangedMs < CHANGE_MS;
    const change = { before: memory.formatBefore, now: memory.format };
    yield { alarm: 'format_change', isFaulty, fault: 'format_changed', facts: change };
  }
  for (const { alarm, rate, last, fault } of ERRORS) {
    const { isOn, max } = rules[alarm];
    const value = facts[rate];
    const isFaulty = isGiving && value > (max ?? 0);
    // A rate is that of some seconds: errors of one moment last no longer because of it.
    if (isOn) yield { alarm, isFaulty, untilMs: facts.lastErrorsMs[last], value, fault, facts: { value } };
  }
  if (rules.recording_stopped.isOn)
    yield {
      alarm: 'recording_stopped',
      isFaulty: isGiving && facts.isRecordingExpected && !facts.isRecording,
      ...{ fault: 'not_recorded', facts: {} },
    };
  yield* contentConditions(isGiving ? facts.content : null, rules);
  yield* loudnessConditions(isGiving ? (facts.content?.loudness ?? null) : null, rules, untilOf(facts.content));
  if (rules.missing_scte35.isOn)
    yield {
      alarm: 'missing_scte35',
      isFaulty: isGiving && nowMs - facts.lastSpliceMs >= rules.missing_scte35.raiseMs,
      sinceMs: facts.lastSpliceMs,
      ...{ fault: 'no_scte35', facts: {} },
    };
}
