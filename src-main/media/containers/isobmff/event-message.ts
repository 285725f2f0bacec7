import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** Event on the timeline of the file, `emsg` version 1 (ISO/IEC 23009-1, 5.10.3.3). */
export interface EventMessage {
  readonly schemeIdUri: string;
  readonly value: string;
  readonly timescale: number;
  /** Presentation time on the timeline of the file, in ticks of `timescale`. */
  readonly presentationTicks: number;
  /** Duration in the same ticks; undefined if unknown. */
  readonly durationTicks?: number;
  /** Id of the event, the same in every repetition. */
  readonly id: number;
  readonly data: Uint8Array;
}

const UNKNOWN_DURATION = 0xffff_ffff;
const MAX_TEXT = 1024;

export function writeEventMessage(out: BoxWriter, message: EventMessage): void {
  const { durationTicks = UNKNOWN_DURATION } = message;
  out.openFull('emsg', 1, 0).u32(message.timescale).u64(message.presentationTicks);
  out.u32(Math.min(durationTicks, UNKNOWN_DURATION)).u32(message.id);
  out.ascii(message.schemeIdUri).u8(0).ascii(message.value).u8(0).bytes(message.data).close();
}

/** Reads the body of a box of version 1. */
export function readEventMessage(body: ByteReader): EventMessage | undefined {
  if (body.u32() >>> 24 !== 1) return undefined;
  const timescale = body.u32();
  const presentationTicks = body.u64();
  const durationTicks = body.u32();
  const id = body.u32();
  const schemeIdUri = readText(body);
  const value = readText(body);
  if (body.isShort || schemeIdUri === undefined || value === undefined || timescale === 0) return undefined;
  const duration = durationTicks === UNKNOWN_DURATION ? {} : { durationTicks };
  return { schemeIdUri, value, timescale, presentationTicks, ...duration, id, data: body.bytes(body.left) };
}

function readText(body: ByteReader): string | undefined {
  let text = '';
  while (body.left > 0 && text.length < MAX_TEXT) {
    const code = body.u8();
    if (code === 0) return text;
    text += String.fromCharCode(code);
  }
  return undefined;
}
