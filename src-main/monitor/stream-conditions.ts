import type { StreamAlarm } from '../../src-preload/contract/api/alarm-object.ts';
import type { StreamRules } from './alarm-rules.ts';
import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import type { Reading } from './alarm-watch.ts';
import { contentConditions, untilOf, type ProbedContent } from './content.ts';
import { isOutside } from './limits.ts';
import { loudnessConditions } from './loudness-conditions.ts';

/** Facts about a stream that need no decoding. */
export interface StreamFacts {
  readonly name: string;
  /** True if frames are expected: the stream runs, and if it is published, its encoder has connected once. */
  readonly isExpected: boolean;
  /** Time of the facts, in epoch milliseconds. Media threads of a busy machine report late. */
  readonly knownMs: number;
  /** Arrival of the last frame, in epoch milliseconds; before the first frame, the start of the stream. */
  readonly lastFrameMs: number;
  /** Age of the newest media available to viewers, in milliseconds; null without media. */
  readonly latencyMs: number | null;
  readonly bitrateKbit: number;
  /** Frames per second; null without video, or while unknown. */
  readonly fps: number | null;
  /** Tracks with codecs and sizes as text; empty while unknown. */
  readonly format: string;
  /** Tracks of the input that the server does not support. */
  readonly leftOut: readonly { readonly codec: string; readonly isEncrypted?: true }[];
  /**
   * Number of the input on air, and of the failed main input that it replaces, counted from 1 in the configuration. Null if
   * the main input is on air, or if an operator selected the input.
   */
  readonly reserve: { readonly input: number; readonly main: number; readonly count: number } | null;
  /** Failing pushes: their number, the number of all pushes, and target and error code of the first one; null if none fails. */
  readonly failingPushes: {
    readonly failed: number;
    readonly count: number;
    readonly url: string;
    readonly code: string;
  } | null;
  readonly errorsPerSecond: number;
  /** Missing packets of a transport stream, and late or jumping clock references (ETSI TR 101 290), per second. */
  readonly continuityErrorsPerSecond: number;
  readonly clockErrorsPerSecond: number;
  /** Time of the newest error of each kind, in epoch milliseconds. */
  readonly lastErrorsMs: { readonly all: number; readonly continuity: number; readonly clock: number };
  /** True if the configuration requires a recording now. */
  readonly isRecordingExpected: boolean;
  readonly isRecording: boolean;
  /** Arrival of the last splice point, in epoch milliseconds; before the first one, the start of the stream. */
  readonly lastSpliceMs: number;
  /** Recent picture and sound; null if the stream is not probed. */
  readonly content: ProbedContent | null;
}

/** Facts about a stream that are stored between rounds. */
export interface StreamMemory {
  readonly format: string;
  readonly formatBefore: string;
  readonly formatChangedMs: number;
}

/** Memory of a stream in its first round. */
export const NOTHING_REMEMBERED: StreamMemory = { format: '', formatBefore: '', formatChangedMs: 0 };

/**
 * Minimum age of the last frame at which frames count as missing, in milliseconds. Even slow streams have several frames per
 * second.
 */
const FRAME_MS = 1500;
/**
 * Time for which a format change counts as a fault, in milliseconds. It is longer than a round, so that one round measures it.
 */
const CHANGE_MS = 2500;
/** Time after the first frame until rates count, in milliseconds. */
const SETTLING_MS = 5000;

/** Alarms of error rates. */
const ERRORS = [
  { alarm: 'stream_errors', rate: 'errorsPerSecond', last: 'all', fault: 'packets_damaged' },
  { alarm: 'continuity', rate: 'continuityErrorsPerSecond', last: 'continuity', fault: 'packets_missing' },
  { alarm: 'pcr', rate: 'clockErrorsPerSecond', last: 'clock', fault: 'clock_errors' },
] as const;

/** Measurement of one condition in a round. */
export type StreamCondition = Reading &
  Fault & {
    readonly alarm: StreamAlarm;
    /** Measured value of a condition that has one; null while unknown. */
    readonly value?: number | null;
  };

/** Updates the memory of a stream. */
export function remember(facts: StreamFacts, memory: StreamMemory, nowMs: number): StreamMemory {
  const { format } = facts;
  if (format === '' || format === memory.format) return memory;
  return { format, formatBefore: memory.format, formatChangedMs: memory.format === '' ? 0 : nowMs };
}

/**
 * Enabled conditions of a stream.
 * @param openedMs time of its first frame, in epoch milliseconds
 */
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
      sinceMs: lastFrameMs,
      untilMs: knownMs,
      fault: 'no_frames',
      facts: {},
    };
  if (rules.codec.isOn) {
    const encrypted = facts.leftOut.filter(({ isEncrypted }) => isEncrypted);
    const fault = encrypted.length > 0 ? 'encrypted_not_carried' : 'codec_not_carried';
    const codecs = (encrypted.length > 0 ? encrypted : facts.leftOut).map(({ codec }) => codec).join(', ');
    yield { alarm: 'codec', isFaulty: codecs !== '', fault, facts: { codecs } };
  }
  if (rules.reserve.isOn)
    yield {
      alarm: 'reserve',
      isFaulty: isGiving && facts.reserve !== null,
      fault: 'reserve_on_air',
      facts: { ...facts.reserve },
    };
  if (rules.push.isOn)
    yield {
      alarm: 'push',
      isFaulty: facts.failingPushes !== null,
      fault: 'push_failing',
      facts: { ...facts.failingPushes },
    };
  if (rules.bitrate.isOn) {
    const { min, max } = rules.bitrate;
    const isFaulty = isSettled && isOutside(facts.bitrateKbit, min, max);
    yield {
      alarm: 'bitrate',
      isFaulty,
      value: facts.bitrateKbit,
      fault: 'bitrate_out_of_range',
      facts: { value: facts.bitrateKbit, min, max },
    };
  }
  if (rules.frame_rate.isOn && facts.fps !== null) {
    const { min, max } = rules.frame_rate;
    const isFaulty = isSettled && isOutside(facts.fps, min, max);
    yield {
      alarm: 'frame_rate',
      isFaulty,
      value: facts.fps,
      fault: 'frame_rate_out_of_range',
      facts: { value: facts.fps, min, max },
    };
  }
  if (rules.latency.isOn && facts.latencyMs !== null) {
    const { min, max } = rules.latency;
    const isFaulty = isSettled && isOutside(facts.latencyMs, min, max);
    yield {
      alarm: 'latency',
      isFaulty,
      value: facts.latencyMs,
      fault: 'latency_out_of_range',
      facts: { value: facts.latencyMs, min, max },
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
    // A rate covers some seconds, but the fault ends with the last error.
    if (isOn) yield { alarm, isFaulty, untilMs: facts.lastErrorsMs[last], value, fault, facts: { value } };
  }
  if (rules.recording_stopped.isOn)
    yield {
      alarm: 'recording_stopped',
      isFaulty: isGiving && facts.isRecordingExpected && !facts.isRecording,
      fault: 'not_recorded',
      facts: {},
    };
  yield* contentConditions(isGiving ? facts.content : null, rules);
  yield* loudnessConditions(isGiving ? (facts.content?.loudness ?? null) : null, rules, untilOf(facts.content));
  if (rules.missing_scte35.isOn)
    yield {
      alarm: 'missing_scte35',
      isFaulty: isGiving && nowMs - facts.lastSpliceMs >= rules.missing_scte35.raiseMs,
      sinceMs: facts.lastSpliceMs,
      fault: 'no_scte35',
      facts: {},
    };
}
