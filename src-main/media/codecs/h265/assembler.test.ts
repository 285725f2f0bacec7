import { describe, expect, it } from 'vitest';
import type { FormatProblem } from '../../access-unit.ts';
import { BitWriter } from '../nal/bit-writer.ts';
import { addEmulation } from '../nal/emulation.ts';
import { H265Assembler } from './assembler.ts';
import { readHvcC } from '../nal/hvcc.ts';
import { NalType } from './nal-type.ts';

function unit(type: number, payload: Uint8Array, layerId = 0): Uint8Array {
  return Uint8Array.of((type << 1) | (layerId >> 5), ((layerId & 31) << 3) | 1, ...addEmulation(payload));
}

function level(writer: BitWriter): BitWriter {
  return writer.bits(8, 1).bits(32, 0x60000000).bits(8, 0xb0).bits(32, 0).bits(8, 0).bits(8, 93);
}

function vps(): Uint8Array {
  const writer = level(new BitWriter().bits(4, 0).bits(2, 3).bits(6, 0).bits(3, 0).flag(true).bits(16, 0xffff));
  writer.flag(true).ue(4).ue(2).ue(0).bits(6, 0).ue(0).flag(true).bits(32, 1).bits(32, 50);
  return unit(NalType.vps, writer.trailing().finish());
}

/** SPS without VUI, with a reference picture set predicted from the previous one. */
function sps(width = 320, height = 180): Uint8Array {
  const writer = level(new BitWriter().bits(4, 0).bits(3, 0).flag(true))
    .ue(0)
    .ue(1)
    .ue(width)
    .ue(height + 4)
    .flag(true)
    .ue(0)
    .ue(0)
    .ue(0)
    .ue(2);
  writer.ue(0).ue(0).ue(4).flag(true).ue(4).ue(2).ue(0);
  for (const value of [0, 3, 0, 3, 0, 0]) writer.ue(value);
  writer.flag(false).flag(true).flag(true).flag(false);
  writer.ue(2).ue(2).ue(0).ue(0).flag(true).ue(1).flag(true);
  writer.flag(true).flag(false).ue(0).flag(true).flag(false).flag(true).flag(true);
  writer.flag(true).ue(1).bits(8, 3).flag(true).flag(true).flag(true).flag(false).flag(false);
  return unit(NalType.sps, writer.trailing().finish());
}

const pps = (id = 0): Uint8Array => unit(NalType.pps, new BitWriter().ue(id).ue(0).bits(7, 0x40).trailing().finish());
const slice = (type: number, layerId = 0): Uint8Array =>
  unit(type, new BitWriter().flag(true).flag(false).ue(0).bits(32, 0x12345678).trailing().finish(), layerId);
const accessUnit = (...units: readonly Uint8Array[]): Buffer =>
  Buffer.concat(units.flatMap((bytes) => [Buffer.from([0, 0, 1]), bytes]));

function sample(...units: readonly Uint8Array[]): string {
  return units.map((bytes) => bytes.length.toString(16).padStart(8, '0') + Buffer.from(bytes).toString('hex')).join('');
}

const AUD = unit(NalType.accessUnitDelimiter, Uint8Array.of(0x50));
const SEI = unit(NalType.prefixSei, Uint8Array.of(5, 1, 7, 0x80));

describe('H265Assembler', () => {
  it('keeps only slices and SEI units of the base layer', () => {
    const assembler = new H265Assembler({ trackId: 'v1', problem: () => undefined });
    expect(assembler.assemble(accessUnit(AUD, slice(1)))).toBeUndefined();
    const filler = unit(NalType.filler, Uint8Array.of(0xff, 0x80));
    const end = unit(NalType.endOfSequence, Uint8Array.of());
    const picture = assembler.assemble(accessUnit(AUD, vps(), sps(), pps(), SEI, slice(19), slice(19, 1), filler, end));
    expect(Buffer.from(picture?.data ?? []).toString('hex')).toBe(sample(SEI, slice(19)));
    expect(assembler.track).toMatchObject({
      width: 320,
      height: 180,
      fps: 50,
      codecString: 'hvc1.1.6.L93.B0',
      profile: 'Main',
      level: '3.1',
    });
    const types = readHvcC(assembler.track?.decoderConfig ?? new Uint8Array(0))?.arrays.map((array) => array.nalType);
    expect(types).toEqual([NalType.vps, NalType.sps, NalType.pps]);
  });

  it('detects random access points', () => {
    const assembler = new H265Assembler({ trackId: 'v1', problem: () => undefined });
    assembler.assemble(accessUnit(vps(), sps(), pps(), slice(20)));
    const found = [0, 1, 8, 9, 16, 17, 18, 19, 20, 21].filter(
      (type) => assembler.assemble(accessUnit(slice(type)))?.isRandomAccess,
    );
    expect(found).toEqual([16, 17, 18, 19, 20, 21]);
    // Intra refresh: recovery_poc_cnt 12, exact_match_flag, and the end of the message.
    const recovery = unit(NalType.prefixSei, Uint8Array.of(6, 2, 0x0c, 0x70, 0x80));
    expect(assembler.assemble(accessUnit(recovery, slice(1)))?.isRandomAccess).toBe(true);
    expect(assembler.assemble(accessUnit(slice(1)))?.isRandomAccess).toBe(false);
  });

  it('returns a new track object only if the format changes', () => {
    const assembler = new H265Assembler({ trackId: 'v1', problem: () => undefined });
    const first = accessUnit(vps(), sps(), pps(), slice(19));
    assembler.assemble(first);
    const track = assembler.track;
    first.fill(0xee);
    assembler.assemble(accessUnit(vps(), sps(), pps(), slice(19)));
    expect(assembler.track).toBe(track);
    assembler.assemble(accessUnit(vps(), sps(640, 360), pps(), slice(21)));
    expect(assembler.track).toMatchObject({ width: 640, height: 360 });
  });

  it('accepts configuration records and samples', () => {
    const problems: FormatProblem[] = [];
    const learned = new H265Assembler({ trackId: 'v1', problem: () => undefined });
    learned.assemble(accessUnit(vps(), sps(), pps(), slice(19)));
    const assembler = new H265Assembler({ trackId: 'v1', problem: (problem) => problems.push(problem) });
    expect(assembler.configure(learned.track?.decoderConfig ?? new Uint8Array(0))).toBe(true);
    expect(assembler.track).toEqual(learned.track);
    const clean = Buffer.from(sample(SEI, slice(21)), 'hex');
    expect(assembler.assembleSample(clean)?.data).toBe(clean);
    assembler.assembleSample(clean.subarray(0, -1));
    expect(assembler.configure(Uint8Array.of(1, 2))).toBe(false);
    expect(problems.map((problem) => problem.code)).toEqual(['codec_bad_frame']);
  });
});
