import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** `hdlr` (ISO/IEC 14496-12, 8.4.3): media type of a track. */
export interface Handler {
  /** `vide`, `soun` and others. */
  readonly handlerType: string;
  readonly name: string;
}

const MAX_NAME_BYTES = 256;

export function readHandler(body: ByteReader): Handler | undefined {
  body.skip(8);
  const handlerType = body.ascii(4);
  body.skip(12);
  if (body.isShort) return undefined;
  const name = body.ascii(Math.min(body.left, MAX_NAME_BYTES));
  const end = name.indexOf('\0');
  return { handlerType, name: end < 0 ? name : name.slice(0, end) };
}

export function writeHandler(out: BoxWriter, value: Handler): void {
  out.openFull('hdlr', 0, 0).u32(0).ascii(value.handlerType).zeros(12).ascii(value.name).u8(0).close();
}
