import type { SpliceMessage } from '../access-unit.ts';
import { wrapTicks } from '../containers/mpegts/packet.ts';
import { shiftSpliceSection, spliceTimeTicks, type SpliceInfo } from './splice-info.ts';

/** Effect of a splice point: a break starts (`out`), a break ends (`in`), an announced event is cancelled, or none of these. */
type SpliceKind = 'out' | 'in' | 'cancel' | 'other';

/** Meaning of a splice information section, without its time. */
export interface SplicePoint {
  readonly kind: SpliceKind;
  /** splice_event_id or segmentation_event_id; null if the section has none. */
  readonly eventId: number | null;
  /** segmentation_type_id of a time_signal; absent for other commands and for cancellations. */
  readonly segmentationTypeId?: number;
  /** Announced length of the break in milliseconds; null if it is not announced. */
  readonly durationMs: number | null;
  /** Whether the break ends only at its end point, although its duration is announced (`auto_return` is 0); absent otherwise. */
  readonly needsReturn?: true;
}

/**
 * segmentation_type_id (SCTE 35, table 23) of events that replace the programme: each starts at an even number and ends at the
 * next one.
 */
const BREAK_STARTS: ReadonlySet<number> = new Set([0x22, 0x30, 0x32, 0x34, 0x36, 0x44, 0x46]);

const TICKS_PER_MS = 90;
const WRAP_TICKS = 2 ** 33;

/** Parses the meaning of a section of one event, as returned by `spliceEventsOf`. */
export function readSplicePoint({ command, descriptors }: SpliceInfo): SplicePoint {
  if (command.type === 'insert') {
    const { eventId, isCancel, isOutOfNetwork, breakDuration } = command;
    const kind = isCancel ? 'cancel' : isOutOfNetwork ? 'out' : 'in';
    const durationMs = durationOf(breakDuration?.durationTicks);
    const needsReturn = kind === 'out' && breakDuration?.isAutoReturn === false;
    return { kind, eventId, durationMs, ...(needsReturn ? { needsReturn } : {}) };
  }
  const segmentation = descriptors.find((descriptor) => descriptor.type === 'segmentation');
  if (!segmentation || command.type !== 'time-signal') return { kind: 'other', eventId: null, durationMs: null };
  const { eventId, isCancel, segmentationTypeId, durationTicks } = segmentation;
  if (isCancel) return { kind: 'cancel', eventId, durationMs: null };
  return { kind: kindOf(segmentationTypeId), eventId, durationMs: durationOf(durationTicks), segmentationTypeId };
}

/**
 * Whether two splice points belong to one event: they have the same id and, if both are segmentation events, the types of one
 * start and its end. Splicers give the same id to an opportunity (0x34) and to an advertisement in it (0x30).
 */
export function isSameEvent(a: SplicePoint, b: SplicePoint): boolean {
  if (a.eventId === null || a.eventId !== b.eventId) return false;
  const [one, other] = [a.segmentationTypeId, b.segmentationTypeId];
  return one === undefined || other === undefined || one >> 1 === other >> 1;
}

/** Levels of breaks by segmentation_type_id: a break (0x22) contains opportunities and blocks, which contain advertisements. */
const BREAK_LEVELS: ReadonlyMap<number, number> = new Map([
  [0x22, 3],
  [0x34, 2],
  [0x36, 2],
  [0x44, 2],
  [0x46, 2],
  [0x30, 1],
  [0x32, 1],
]);

/** Whether the start of a break marks a part of another break, which continues, such as an advertisement of an opportunity. */
export function isPartOfBreak(part: SplicePoint, outer: SplicePoint): boolean {
  return levelOf(part) < levelOf(outer);
}

/** Level of the start of a break; NaN, which is neither below nor above any other, for anything but a segmentation event. */
function levelOf({ segmentationTypeId }: SplicePoint): number {
  return BREAK_LEVELS.get(segmentationTypeId ?? -1) ?? NaN;
}

/**
 * Splice time of a section in the ticks of its message, which neither wrap nor jump; the message's own time for an immediate
 * splice.
 */
export function spliceTimeOf(info: SpliceInfo, { atTicks }: Pick<SpliceMessage, 'atTicks'>): number {
  const ticks = spliceTimeTicks(info);
  if (ticks === undefined) return atTicks;
  // Nearest time to the message with the same 33 bits.
  const ahead = wrapTicks(ticks - atTicks);
  return atTicks + (ahead < WRAP_TICKS / 2 ? ahead : ahead - WRAP_TICKS);
}

/** Message in a stream whose clock is shifted by this number of ticks, like all its access units. */
export function shiftSplice(message: SpliceMessage, ticks: number): SpliceMessage {
  if (ticks === 0) return message;
  return { ...message, section: shiftSpliceSection(message.section, ticks), atTicks: message.atTicks + ticks };
}

function kindOf(typeId: number): SpliceKind {
  if (BREAK_STARTS.has(typeId)) return 'out';
  return BREAK_STARTS.has(typeId - 1) ? 'in' : 'other';
}

function durationOf(ticks: number | undefined): number | null {
  return ticks === undefined ? null : Math.round(ticks / TICKS_PER_MS);
}
