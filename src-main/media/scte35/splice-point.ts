import type { SpliceMessage } from '../access-unit.ts';
import { wrapTicks } from '../containers/mpegts/packet.ts';
import { shiftSpliceSection, spliceTimeTicks, type SpliceInfo } from './splice-info.ts';

/** What happens at a splice point: a break starts, a break ends, an announced event is taken back, or something else is marked. */
type SpliceKind = 'out' | 'in' | 'cancel' | 'other';

/** What a section says of its splice point, besides the time. */
export interface SplicePoint {
  readonly kind: SpliceKind;
  /** splice_event_id or segmentation_event_id; null where the section has none. */
  readonly eventId: number | null;
  /** How long the break is announced to last, in milliseconds; null where it is not said. */
  readonly durationMs: number | null;
  /** Whether the break waits for the point that ends it though its length is announced (`auto_return` is 0); absent where it does not. */
  readonly needsReturn?: true;
}

/** segmentation_type_id (SCTE 35, table 23) of what replaces the programme: each starts at an even number and ends at the next one. */
const BREAK_STARTS: ReadonlySet<number> = new Set([0x22, 0x30, 0x32, 0x34, 0x36, 0x44, 0x46]);

const TICKS_PER_MS = 90;
const WRAP_TICKS = 2 ** 33;

/** Reads the meaning of a section. */
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
  return { kind: isCancel ? 'cancel' : kindOf(segmentationTypeId), eventId, durationMs: durationOf(durationTicks) };
}

/** When a section takes effect, in the ticks of its message, which neither wrap nor jump: the message's own time for a splice at once. */
export function spliceTimeOf(info: SpliceInfo, { atTicks }: Pick<SpliceMessage, 'atTicks'>): number {
  const ticks = spliceTimeTicks(info);
  if (ticks === undefined) return atTicks;
  // The nearest time to the message that looks like it in 33 bits.
  const ahead = wrapTicks(ticks - atTicks);
  return atTicks + (ahead < WRAP_TICKS / 2 ? ahead : ahead - WRAP_TICKS);
}

/** A message in a stream whose clock is moved by so many ticks, as all of its access units are. */
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
