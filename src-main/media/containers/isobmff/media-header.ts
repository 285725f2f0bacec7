import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** `mdhd` (ISO/IEC 14496-12, 8.4.2): timescale and language of one track. */
export interface MediaHeader {
  readonly timescale: number;
  /** 0 if fragments follow. */
  readonly durationTicks: number;
  /** ISO 639-2/T; absent for `und`. */
  readonly language?: string;
}

export function readMediaHeader(body: ByteReader): MediaHeader | undefined {
  const version = body.u32() >>> 24;
  body.skip(version === 1 ? 16 : 8);
  const timescale = body.u32();
  const durationTicks = version === 1 ? body.u64() : body.u32();
  const packed = body.u16();
  if (body.isShort || timescale === 0) return undefined;
  const language = unpackLanguage(packed);
  return { timescale, durationTicks, ...(language === undefined ? {} : { language }) };
}

export function writeMediaHeader(out: BoxWriter, value: MediaHeader): void {
  const version = value.durationTicks > 0xffff_ffff ? 1 : 0;
  out.openFull('mdhd', version, 0).zeros(version === 1 ? 16 : 8);
  out.u32(value.timescale);
  if (version === 1) out.u64(value.durationTicks);
  else out.u32(value.durationTicks);
  out.u16(packLanguage(value.language)).u16(0).close();
}

/** Packs three letters into five bits each: their distance from 0x60. */
function packLanguage(language: string | undefined): number {
  const letters = language !== undefined && /^[a-z]{3}$/.test(language) ? language : 'und';
  let packed = 0;
  for (const letter of letters) packed = (packed << 5) | (letter.charCodeAt(0) - 0x60);
  return packed;
}

function unpackLanguage(packed: number): string | undefined {
  const text = String.fromCharCode(
    0x60 + ((packed >> 10) & 0x1f),
    0x60 + ((packed >> 5) & 0x1f),
    0x60 + (packed & 0x1f),
  );
  // QuickTime stores a Macintosh language code here: less than 0x400, or 0x7fff if unspecified.
  return packed >= 0x400 && packed !== 0x7fff && /^[a-z]{3}$/.test(text) && text !== 'und' ? text : undefined;
}
