import type { SpliceMessage } from '../media/access-unit.ts';
import { readSpliceInfo, shiftSpliceSection } from '../media/scte35/splice-info.ts';
import { readSplicePoint, spliceTimeOf, type SplicePoint } from '../media/scte35/splice-point.ts';

const TICKS_PER_MS = 90;

/** Splice point on the output timeline. */
export interface StreamSplice extends SplicePoint {
  /** Time at which it takes effect, epoch milliseconds; may be in the future. */
  readonly atMs: number;
  /**
   * Splice information section (SCTE 35, 9.6), whose time is on the clock of the output: the lower 33 bits of UTC in
   * 90 kHz ticks.
   */
  readonly section: Uint8Array;
  /** Present for a private, scheduling or encrypted command, which has no time at which a segment should start. */
  readonly isUntimed?: true;
}

/** Time from a message to its splice point, in 90 kHz ticks; 0 for a damaged message. */
export function leadOf(message: SpliceMessage, inputTicks: number): number {
  const info = readSpliceInfo(message.section);
  return info ? spliceTimeOf(info, message) - inputTicks : 0;
}

/**
 * Puts a splice message on the output timeline.
 *
 * @param offsetTicks offset from input ticks to output ticks
 * @returns undefined for a damaged section
 */
export function spliceOnTimeline(message: SpliceMessage, offsetTicks: number): StreamSplice | undefined {
  const info = readSpliceInfo(message.section);
  if (!info) return undefined;
  const atMs = Math.round((spliceTimeOf(info, message) + offsetTicks) / TICKS_PER_MS);
  const section = shiftSpliceSection(message.section, offsetTicks);
  const isUntimed = info.command.type === 'raw' || info.encrypted !== undefined;
  return { ...readSplicePoint(info), atMs, section, ...(isUntimed ? { isUntimed } : {}) };
}
