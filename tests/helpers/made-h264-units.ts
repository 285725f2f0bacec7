import { BitWriter } from '../../src-main/media/codecs/nal/bit-writer.ts';
import { addEmulation } from '../../src-main/media/codecs/nal/emulation.ts';

/** Fields of a generated SPS, with plain defaults. */
export interface MadeSps {
  readonly profileIdc?: number;
  readonly constraints?: number;
  readonly levelIdc?: number;
  readonly id?: number;
  /** Fields of high profiles: chroma format, separate planes, bit depths, scaling lists. */
  readonly chromaFormatIdc?: number;
  readonly isSeparate?: boolean;
  readonly bitDepth?: number;
  readonly hasScalingLists?: boolean;
  readonly pocType?: 0 | 1 | 2;
  readonly widthInMbs?: number;
  readonly heightInMapUnits?: number;
  readonly isInterlaced?: boolean;
  /** Left, right, top and bottom in crop units. */
  readonly crop?: readonly [number, number, number, number];
  /** Writes `vui_parameters()`. */
  readonly vui?: (writer: BitWriter) => void;
}

const HIGH = new Set([100, 110, 122, 244, 44]);

/** NAL unit of a sequence parameter set. */
export function madeSps(sps: MadeSps = {}): Uint8Array {
  const {
    profileIdc = 77,
    chromaFormatIdc = 1,
    isSeparate = false,
    bitDepth = 8,
    pocType = 0,
    isInterlaced = false,
  } = sps;
  const writer = new BitWriter()
    .bits(8, profileIdc)
    .bits(8, sps.constraints ?? 0)
    .bits(8, sps.levelIdc ?? 31)
    .ue(sps.id ?? 0);
  if (HIGH.has(profileIdc)) {
    writer.ue(chromaFormatIdc);
    if (chromaFormatIdc === 3) writer.flag(isSeparate);
    writer
      .ue(bitDepth - 8)
      .ue(bitDepth - 8)
      .flag(false)
      .flag(sps.hasScalingLists ?? false);
    if (sps.hasScalingLists) writeScalingLists(writer, chromaFormatIdc === 3 ? 12 : 8);
  }
  writer.ue(0).ue(pocType);
  if (pocType === 0) writer.ue(2);
  if (pocType === 1) writer.flag(false).se(-3).se(7).ue(2).se(1).se(-1);
  writer
    .ue(1)
    .flag(false)
    .ue((sps.widthInMbs ?? 20) - 1)
    .ue((sps.heightInMapUnits ?? 12) - 1)
    .flag(!isInterlaced);
  if (isInterlaced) writer.flag(true);
  writer.flag(true).flag(sps.crop !== undefined);
  for (const value of sps.crop ?? []) writer.ue(value);
  writer.flag(sps.vui !== undefined);
  sps.vui?.(writer);
  return Uint8Array.of(0x67, ...addEmulation(writer.trailing().finish()));
}

/** Writes scaling lists of three kinds in turn: absent, ended by a zero scale, and complete. */
function writeScalingLists(writer: BitWriter, count: number): void {
  for (let list = 0; list < count; list++) {
    writer.flag(list % 3 !== 0);
    if (list % 3 === 1) writer.se(-8);
    if (list % 3 === 2) for (let i = 0; i < (list < 6 ? 16 : 64); i++) writer.se(i % 2 === 0 ? 3 : -2);
  }
}

/** NAL unit of a picture parameter set. */
export function madePps(id = 0, spsId = 0): Uint8Array {
  return Uint8Array.of(0x68, ...addEmulation(new BitWriter().ue(id).ue(spsId).bits(6, 0x2a).trailing().finish()));
}

/** NAL unit of a slice; `type` 7 is I, 5 is P. */
export function madeSlice(header: number, type: number, ppsId = 0, firstMacroblock = 0): Uint8Array {
  const start = new BitWriter()
    .ue(firstMacroblock)
    .ue(type)
    .ue(ppsId)
    .bits(32, 0xdeadbeef)
    .bits(32, 0xcafe)
    .trailing()
    .finish();
  return Uint8Array.of(header, ...addEmulation(start));
}

/** SEI unit with user data, followed by a recovery point after `frames` frames. */
export function madeRecoveryPoint(frames: number): Uint8Array {
  const message = new BitWriter().ue(frames).bits(4, 0).trailing().finish();
  return Uint8Array.of(0x06, 5, 3, 0xaa, 0xbb, 0xcc, 6, message.length, ...message, 0x80);
}

/** Access unit in byte stream format. */
export function madeAccessUnit(...units: readonly Uint8Array[]): Buffer {
  return Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit]));
}
