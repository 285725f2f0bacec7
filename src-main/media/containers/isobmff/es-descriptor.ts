import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** Object type indications (ISO/IEC 14496-1, 7.2.6.6) allowed in `mp4a`: AAC, and MPEG-2 and MPEG-1 audio of any layer. */
export const ObjectType = { aac: 0x40, mpeg2Audio: 0x69, mpeg1Audio: 0x6b } as const;

/** ES descriptor in `esds` (ISO/IEC 14496-14, 5.6): codec of `mp4a` and its configuration. */
export interface EsDescriptor {
  readonly objectType: number;
  /** AudioSpecificConfig for AAC; empty for MP3, which has none. */
  readonly specificConfig: Uint8Array;
}

const ES = 3;
const DECODER_CONFIG = 4;
const SPECIFIC_CONFIG = 5;
const SL_CONFIG = 6;
const AUDIO_STREAM = 5;

export function readEsDescriptor(body: ByteReader): EsDescriptor | undefined {
  body.skip(4);
  if (body.u8() !== ES) return undefined;
  readLength(body);
  body.skip(2);
  const flags = body.u8();
  if ((flags & 0x80) !== 0) body.skip(2);
  if ((flags & 0x40) !== 0) body.skip(body.u8());
  if ((flags & 0x20) !== 0) body.skip(2);
  if (body.u8() !== DECODER_CONFIG) return undefined;
  const end = Math.min(body.end, readLength(body) + body.at);
  const objectType = body.u8();
  body.skip(12);
  if (body.isShort) return undefined;
  if (body.at >= end || body.u8() !== SPECIFIC_CONFIG) return { objectType, specificConfig: new Uint8Array(0) };
  const specificConfig = body.bytes(readLength(body));
  return body.isShort ? undefined : { objectType, specificConfig };
}

/** Writes `esds`. Buffer size and bit rates are 0, unspecified. */
export function writeEsDescriptor(out: BoxWriter, value: EsDescriptor): void {
  const { specificConfig } = value;
  const specificBytes = specificConfig.length === 0 ? 0 : descriptorBytes(specificConfig.length);
  const decoderBytes = 13 + specificBytes;
  out.openFull('esds', 0, 0);
  writeDescriptorStart(out, ES, 3 + descriptorBytes(decoderBytes) + descriptorBytes(1));
  out.u16(0).u8(0);
  writeDescriptorStart(out, DECODER_CONFIG, decoderBytes);
  out
    .u8(value.objectType)
    .u8((AUDIO_STREAM << 2) | 1)
    .u24(0)
    .u32(0)
    .u32(0);
  if (specificBytes > 0) {
    writeDescriptorStart(out, SPECIFIC_CONFIG, specificConfig.length);
    out.bytes(specificConfig);
  }
  writeDescriptorStart(out, SL_CONFIG, 1);
  out.u8(2).close();
}

/** Size of a descriptor with tag and length: seven bits per byte, the top bit says that more follow (14496-1, 8.3.3). */
function descriptorBytes(bodyBytes: number): number {
  return 1 + (bodyBytes < 0x80 ? 1 : 4) + bodyBytes;
}

function writeDescriptorStart(out: BoxWriter, tag: number, bodyBytes: number): void {
  out.u8(tag);
  if (bodyBytes < 0x80) out.u8(bodyBytes);
  else
    out
      .u8(0x80 | (bodyBytes >> 21))
      .u8(0x80 | (bodyBytes >> 14))
      .u8(0x80 | (bodyBytes >> 7))
      .u8(bodyBytes & 0x7f);
}

function readLength(body: ByteReader): number {
  let length = 0;
  for (let i = 0; i < 4; i++) {
    const byte = body.u8();
    length = length * 0x80 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return length;
}
