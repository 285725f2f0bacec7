import { wrapTicks } from '../containers/mpegts/packet.ts';
import type { SpliceInsert } from './splice-command.ts';
import { readSpliceInfo, shiftSpliceSection, spliceTimeTicks, writeSpliceInfo } from './splice-info.ts';

/** Content of a splice point that came as a mark without a section. */
export interface GeneratedSplice {
  /** splice_event_id, 32 bits. */
  readonly eventId: number;
  /** True if a break starts, false if it ends. */
  readonly isOut: boolean;
  /** Duration of the break in milliseconds; only for its start, and absent if unknown. */
  readonly durationMs?: number;
  /** Whether the break returns automatically after its duration; default true. */
  readonly isAutoReturn?: boolean;
  /**
   * Splice time in 90 kHz ticks of the stream; only 33 bits of it are written. Undefined: immediately (`splice_immediate_flag`).
   */
  readonly ptsTicks: number | undefined;
}

/** Maximum duration of a break in a section: 33 bits of 90 kHz ticks are more than a day. */
export const MAX_BREAK_MS = 86_400_000;

/**
 * Builds a splice information section with `splice_insert` (SCTE 35, 9.7.3) for a mark without one. A break with a duration
 * returns automatically unless stated otherwise.
 */
export function makeSpliceSection({
  eventId,
  isOut,
  durationMs,
  isAutoReturn = true,
  ptsTicks,
}: GeneratedSplice): Uint8Array {
  const hasDuration = isOut && durationMs !== undefined && durationMs <= MAX_BREAK_MS;
  return insertSection(eventId, {
    isCancel: false,
    isOutOfNetwork: isOut,
    isImmediate: ptsTicks === undefined,
    ...(ptsTicks === undefined ? {} : { ptsTicks: wrapTicks(ptsTicks) }),
    ...(hasDuration ? { breakDuration: { isAutoReturn, durationTicks: Math.round(durationMs * 90) } } : {}),
  });
}

/** Builds a section that cancels the event of a section from `makeSpliceSection` (`splice_event_cancel_indicator`). */
export function makeCancelSection(eventId: number): Uint8Array {
  return insertSection(eventId, { isCancel: true, isOutOfNetwork: false, isImmediate: false });
}

function insertSection(
  eventId: number,
  fields: Pick<SpliceInsert, 'isCancel' | 'isOutOfNetwork' | 'isImmediate'> &
    Partial<Pick<SpliceInsert, 'ptsTicks' | 'breakDuration'>>,
): Uint8Array {
  return writeSpliceInfo({
    sapType: 3,
    ptsAdjustmentTicks: 0,
    cwIndex: 0,
    tier: 0xfff,
    descriptors: [],
    command: {
      type: 'insert',
      eventId: eventId >>> 0,
      hasFreeEventId: true,
      ...fields,
      uniqueProgramId: 0,
      availNumber: 0,
      availsExpected: 0,
    },
  });
}

/**
 * Returns the section with its time set to `ticks`. For sections with a time of a clock that is not in the stream. A section
 * without a time (immediate, or of another command) stays unchanged. Undefined if it is damaged.
 */
export function retimeSpliceSection(section: Uint8Array, ticks: number): Uint8Array | undefined {
  const info = readSpliceInfo(section);
  if (!info) return undefined;
  const sectionTicks = spliceTimeTicks(info);
  return sectionTicks === undefined
    ? section
    : shiftSpliceSection(section, wrapTicks(Math.round(ticks) - sectionTicks));
}

/** Maximum size of a section in base 64 (SCTE 35, 9.6: 4096 bytes). */
const MAX_BASE64_CHARACTERS = 5464;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Decodes a section in base 64; undefined if invalid or too long. Its CRC is not checked. */
export function sectionOfBase64(text: string): Uint8Array | undefined {
  if (text.length > MAX_BASE64_CHARACTERS || !BASE64.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** Decodes a section in a hexadecimal-sequence (RFC 8216bis, 4.2); undefined if invalid or too long. */
export function sectionOfHex(text: string): Uint8Array | undefined {
  if (text.length > 2 + 2 * 4096 || !/^0x([0-9a-f]{2})+$/i.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
}
