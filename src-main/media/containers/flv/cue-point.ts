import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import { INPUT_TIMESCALE } from '../../access-unit.ts';
import type { MediaSink } from '../../access-unit.ts';
import { crc32Mpeg } from '../mpegts/crc32.ts';
import { makeSpliceSection, MAX_BREAK_MS, retimeSpliceSection, sectionOfBase64 } from '../../scte35/splice-section.ts';
import { amfFields } from '../rtmp/amf0.ts';
import type { AmfValue } from '../rtmp/amf0.ts';

/** Splice point sent by an encoder in a data message, with the stated fields. */
interface FlvCuePoint {
  /** Section of the message, if any; its CRC is not checked. */
  readonly section?: Uint8Array;
  readonly eventId: number;
  readonly isOut: boolean;
  readonly durationMs?: number;
  /** Splice time on the clock of the timestamps in milliseconds; absent if the splice is at the timestamp of the message. */
  readonly timeMs?: number;
  /** Notice of the message before the splice, in milliseconds. */
  readonly preRollMs?: number;
  /** Time since the splice, in milliseconds, in a message that is repeated for viewers who join later. */
  readonly elapsedMs?: number;
}

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;
/** Maximum time of a splice after its message, in milliseconds; a later time is on another clock. */
const MAX_NOTICE_MS = 120_000;
/** Maximum time of a splice before its message, in milliseconds; an earlier time is on another clock. */
const MAX_LATE_MS = 10_000;

/**
 * Reads the values of a data message: `onAdCue` in its simple and its SCTE-35 form (Adobe Primetime), and `onCuePoint` of AWS
 * Elemental encoders, with the fields of `splice_insert` or with only a duration.
 *
 * @returns undefined for a message that marks no splice point, `damaged` for an unreadable one
 */
function readCuePoint(values: readonly AmfValue[]): FlvCuePoint | 'damaged' | undefined {
  const [name, value] = values[0] === '@setDataFrame' ? values.slice(1) : values;
  const fields = name === 'onAdCue' || name === 'onCuePoint' ? amfFields(value) : undefined;
  if (!fields) return undefined;
  return name === 'onAdCue' ? readAdCue(fields) : readFlashCue(fields);
}

/** Time from the message to the splice in milliseconds; negative for a past splice. */
function cueDelayMs({ timeMs, preRollMs, elapsedMs }: FlvCuePoint, messageMs: number): number {
  const aheadMs = timeMs === undefined ? undefined : timeMs - messageMs;
  const isOnClock = aheadMs !== undefined && aheadMs >= -MAX_LATE_MS && aheadMs <= MAX_NOTICE_MS;
  return isOnClock ? aheadMs : (preRollMs ?? 0) - (elapsedMs ?? 0);
}

/** Section of a cue point that takes effect at `ptsTicks`; undefined if its own section is damaged. */
function cueSection({ section, eventId, isOut, durationMs }: FlvCuePoint, ptsTicks: number): Uint8Array | undefined {
  if (section) return retimeSpliceSection(section, ptsTicks);
  return makeSpliceSection({ eventId, isOut, ptsTicks, ...(durationMs === undefined ? {} : { durationMs }) });
}

/** Number of remembered cue points; the newest are kept. */
const MAX_REMEMBERED = 16;
/** Maximum difference of a repeated cue point from its first time, in 90 kHz ticks; a larger one means that it moved. */
const SAME_TICKS = 45_000;

/**
 * Reports each cue point of a publisher once. Encoders repeat cue points for viewers who join later, with recomputed times that
 * differ slightly.
 */
export class CuePoints {
  #remembered: { readonly eventId: number; readonly isOut: boolean; readonly atTicks: number }[] = [];

  /** Processes the values of a data message at `messageTicks` (90 kHz). */
  take(values: readonly AmfValue[], messageTicks: number, sink: Pick<MediaSink, 'splice' | 'problem'>): void {
    const cue = readCuePoint(values);
    if (cue === undefined) return;
    const delayMs = cue === 'damaged' ? 0 : cueDelayMs(cue, messageTicks / TICKS_PER_MS);
    const atTicks = Math.round(messageTicks + delayMs * TICKS_PER_MS);
    const section = cue === 'damaged' ? undefined : cueSection(cue, atTicks);
    if (!section || cue === 'damaged') sink.problem({ code: 'rtmp_bad_cue_point', ...because('cue_point_damaged') });
    else if (!this.#isRepeat(cue, atTicks)) sink.splice({ sourceId: 0, section, atTicks });
  }

  #isRepeat({ eventId, isOut }: FlvCuePoint, atTicks: number): boolean {
    const isRepeated = this.#remembered.some(
      (other) => other.eventId === eventId && other.isOut === isOut && Math.abs(other.atTicks - atTicks) <= SAME_TICKS,
    );
    if (!isRepeated) this.#remembered = [...this.#remembered.slice(1 - MAX_REMEMBERED), { eventId, isOut, atTicks }];
    return isRepeated;
  }
}

function readAdCue(fields: ReadonlyMap<string, AmfValue>): FlvCuePoint | 'damaged' | undefined {
  const type = textOf(fields.get('type')).toLowerCase();
  const [timeMs, elapsedMs] = [millisecondsOf(fields.get('time')), millisecondsOf(fields.get('elapsed'))];
  if (elapsedMs !== undefined && elapsedMs > MAX_BREAK_MS) return 'damaged';
  const times = { ...(timeMs === undefined ? {} : { timeMs }), ...(elapsedMs === undefined ? {} : { elapsedMs }) };
  const eventId = eventIdOf(fields.get('id'));
  if (type === 'scte35' || type === 'urn:scte:scte35:2013:bin') {
    const section = sectionOfBase64(textOf(fields.get('cue')));
    return section ? { section, eventId, isOut: true, ...times } : 'damaged';
  }
  if (type !== 'spliceout' && type !== 'splicein') return undefined;
  return { eventId, isOut: type === 'spliceout', ...durationIn(fields.get('duration'), 1000), ...times };
}

function readFlashCue(fields: ReadonlyMap<string, AmfValue>): FlvCuePoint | 'damaged' | undefined {
  const type = textOf(fields.get('type')).toLowerCase();
  const parameters = amfFields(fields.get('parameters'));
  // Cue points for navigation or player scripts are no splice points.
  if (!parameters || (type !== 'event' && type !== 'scte35' && type !== '')) return undefined;
  const timeMs = millisecondsOf(fields.get('time'));
  const times = timeMs === undefined ? {} : { timeMs };
  const out = parameters.get('out_of_network_indicator');
  if (out === undefined) {
    const duration = durationIn(parameters.get('duration'), 1000);
    if (!duration.durationMs) return undefined;
    return { eventId: eventIdOf(parameters.get('id') ?? fields.get('time')), isOut: true, ...duration, ...times };
  }
  if (isTrue(parameters.get('splice_event_cancel_indicator'))) return undefined;
  const eventId = eventIdOf(parameters.get('splice_event_id'));
  const preRollMs = isTrue(parameters.get('splice_immediate')) ? 0 : numberOf(parameters.get('pre_roll_time'));
  if (preRollMs !== undefined && (preRollMs < 0 || preRollMs > MAX_NOTICE_MS)) return 'damaged';
  return {
    eventId,
    isOut: isTrue(out),
    ...durationIn(parameters.get('break_duration'), 1),
    ...(preRollMs === undefined ? times : { preRollMs }),
  };
}

/** Duration of a value in units of `unitMs`; empty if the value is missing, 0 (unknown) or above the maximum. */
function durationIn(value: AmfValue, unitMs: number): { durationMs?: number } {
  const durationMs = (numberOf(value) ?? 0) * unitMs;
  return durationMs > 0 && durationMs <= MAX_BREAK_MS ? { durationMs: Math.round(durationMs) } : {};
}

function millisecondsOf(value: AmfValue): number | undefined {
  const seconds = numberOf(value);
  return seconds === undefined || seconds < 0 ? undefined : Math.round(seconds * 1000);
}

/** Reads a number, which some encoders write as text. */
function numberOf(value: AmfValue): number | undefined {
  const number = typeof value === 'string' && /^\d{1,12}(\.\d{0,12})?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function isTrue(value: AmfValue): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(true|1)$/i.test(value));
}

function textOf(value: AmfValue): string {
  return typeof value === 'string' ? value : '';
}

/** Event id of 32 bits: the stated number, or a hash of the text. */
function eventIdOf(value: AmfValue): number {
  const number = numberOf(value);
  if (number !== undefined && Number.isInteger(number) && number >= 0 && number < 2 ** 32) return number;
  const bytes = Buffer.from(typeof value === 'string' ? value.slice(0, 256) : String(number ?? ''));
  return crc32Mpeg(bytes, 0, bytes.length) % 2 ** 31;
}
