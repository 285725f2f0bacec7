import { wrapTicks } from '../containers/mpegts/packet.ts';
import type { SpliceInsert } from './splice-command.ts';
import { readSpliceInfo, shiftSpliceSection, spliceTimeTicks, writeSpliceInfo } from './splice-info.ts';

/** What a splice point says that came as a mark without a section. */
export interface MadeSplice {
  /** splice_event_id, 32 bits. */
  readonly eventId: number;
  /** Whether a break starts; false: it ends. */
  readonly isOut: boolean;
  /** Length of the break in milliseconds; only for its start, and not said where it is absent. */
  readonly durationMs?: number;
  /** Whether the break returns by itself after its length; default true. */
  readonly isAutoReturn?: boolean;
  /** When it takes effect, in 90 kHz ticks of the stream; only 33 bits of them are written. At once (`splice_immediate_flag`) where it is undefined. */
  readonly ptsTicks: number | undefined;
}

/** Longest break that a section can state: 33 bits of 90 kHz ticks are more than a day. */
export const MAX_BREAK_MS = 86_400_000;

/** A splice information section with `splice_insert` (SCTE 35, 9.7.3) for a mark without one. A break that is said to have a length returns by itself, where nothing else is said. */
export function makeSpliceSection({
  eventId,
  isOut,
  durationMs,
  isAutoReturn = true,
  ptsTicks,
}: MadeSplice): Uint8Array {
  const hasDuration = isOut && durationMs !== undefined && durationMs <= MAX_BREAK_MS;
  return insertSection(eventId, {
    isCancel: false,
    isOutOfNetwork: isOut,
    isImmediate: ptsTicks === undefined,
    ...(ptsTicks === undefined ? {} : { ptsTicks: wrapTicks(ptsTicks) }),
    ...(hasDuration ? { breakDuration: { isAutoReturn, durationTicks: Math.round(durationMs * 90) } } : {}),
  });
}

/** The section that takes an event back which such a section announced (`splice_event_cancel_indicator`). */
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
 * The same section with its time at `ticks`: for a section whose own time counts on a clock that the stream does not have. One that takes effect
 * at once stays as it is. Undefined for a damaged section.
 */
export function retimeSpliceSection(section: Uint8Array, ticks: number): Uint8Array | undefined {
  const info = readSpliceInfo(section);
  if (!info) return undefined;
  const own = spliceTimeTicks(info);
  return own === undefined ? section : shiftSpliceSection(section, wrapTicks(Math.round(ticks) - own));
}

/** Longest section in base 64 (SCTE 35, 9.6: 4096 bytes). */
const MAX_BASE64_CHARACTERS = 5464;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Bytes of a section that was written in base 64; undefined where it is no base 64, or too long. Its CRC is not looked at. */
export function sectionOfBase64(text: string): Uint8Array | undefined {
  if (text.length > MAX_BASE64_CHARACTERS || !BASE64.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** Bytes of a section that was written as a hexadecimal-sequence (RFC 8216bis, 4.2); undefined where it is none, or too long. */
export function sectionOfHex(text: string): Uint8Array | undefined {
  if (text.length > 2 + 2 * 4096 || !/^0x([0-9a-f]{2})+$/i.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
}
