import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FormatProblem } from '../../access-unit.ts';
import { lengthPrefixedToAnnexB } from '../nal/length-prefixed.ts';
import { H264Assembler } from './assembler.ts';
import { readAvcC, writeAvcC } from '../nal/avcc.ts';
import {
  madeAccessUnit,
  madePps,
  madeRecoveryPoint,
  madeSlice,
  madeSps,
} from '../../../../tests/helpers/made-h264-units.ts';

const AUD = Uint8Array.of(0x09, 0xf0);
const FILLER = Uint8Array.of(0x0c, 0xff, 0xff, 0x80);
const END = Uint8Array.of(0x0a);
const USER_DATA = Uint8Array.of(0x06, 5, 2, 1, 2, 0x80);
const IDR = madeSlice(0x65, 7);
const P = madeSlice(0x41, 5);
const I = madeSlice(0x41, 7);

function assembler(): { assembler: H264Assembler; problems: FormatProblem[] } {
  const problems: FormatProblem[] = [];
  return { assembler: new H264Assembler({ trackId: 'v1', problem: (problem) => problems.push(problem) }), problems };
}

function sample(...units: readonly Uint8Array[]): Buffer {
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(unit.length);
      return [length, unit];
    }),
  );
}

describe('H264Assembler', () => {
  it('waits for the parameter sets', () => {
    const { assembler: video } = assembler();
    expect(video.assemble(madeAccessUnit(AUD, P))).toBeUndefined();
    expect(video.assemble(madeAccessUnit(AUD, madeSps(), IDR))).toBeUndefined();
    expect(video.track).toBeUndefined();
    expect(video.assemble(madeAccessUnit(AUD, madePps(), IDR))).toMatchObject({ isRandomAccess: true });
    expect(video.track).toMatchObject({ id: 'v1', codec: 'h264', width: 320, height: 192 });
  });

  it('keeps only slices and SEI units', () => {
    const { assembler: video } = assembler();
    const picture = video.assemble(madeAccessUnit(AUD, madeSps(), madePps(), USER_DATA, IDR, IDR, FILLER, END));
    expect(Buffer.from(picture?.data ?? []).equals(sample(USER_DATA, IDR, IDR))).toBe(true);
    expect(video.assemble(madeAccessUnit(AUD, madeSps(), madePps(), FILLER))).toBeUndefined();
    expect(video.assemble(Buffer.alloc(0))).toBeUndefined();
  });

  it('detects random access points', () => {
    const { assembler: video } = assembler();
    const answers = [
      madeAccessUnit(madeSps(), madePps(), IDR),
      madeAccessUnit(P),
      madeAccessUnit(I),
      madeAccessUnit(madeRecoveryPoint(0), I),
      madeAccessUnit(madeRecoveryPoint(12), I),
      madeAccessUnit(madeRecoveryPoint(12), P),
      madeAccessUnit(madeRecoveryPoint(0), P),
      madeAccessUnit(madeSps(), madePps(), I),
      madeAccessUnit(madeSps(), madePps(), P),
    ].map((unit) => video.assemble(unit)?.isRandomAccess);
    expect(answers).toEqual([true, false, false, true, true, true, false, true, false]);
  });

  it('returns a new track object only if the format changes', () => {
    const { assembler: video } = assembler();
    const unit = madeAccessUnit(madeSps(), madePps(), IDR);
    video.assemble(unit);
    const first = video.track;
    // Stored parameter sets are copies, because the bytes are borrowed.
    unit.fill(0xee);
    video.assemble(madeAccessUnit(P));
    video.assemble(madeAccessUnit(madeSps(), madePps(), IDR));
    expect(video.track).toBe(first);
    video.assemble(madeAccessUnit(madeSps({ widthInMbs: 40, id: 3 }), madePps(1, 3), madeSlice(0x65, 7, 1)));
    expect(video.track).toMatchObject({ width: 640 });
    // The parameter sets of the previous encoder are gone.
    expect(readAvcC(video.track?.decoderConfig ?? new Uint8Array(0))).toMatchObject({
      sps: [madeSps({ widthInMbs: 40, id: 3 })],
      pps: [madePps(1, 3)],
    });
  });

  it('changes the track when a picture uses another stored parameter set', () => {
    const { assembler: video } = assembler();
    const sets = [madeSps({ id: 0 }), madeSps({ id: 1, widthInMbs: 40 }), madePps(0, 0), madePps(1, 1)];
    video.assemble(madeAccessUnit(...sets, madeSlice(0x65, 7, 0)));
    expect(video.track?.width).toBe(320);
    video.assemble(madeAccessUnit(...sets, madeSlice(0x65, 7, 1)));
    expect(video.track?.width).toBe(640);
    expect(readAvcC(video.track?.decoderConfig ?? new Uint8Array(0))?.sps).toHaveLength(2);
  });

  it('reports a damaged parameter set once, and keeps the old one', () => {
    const { assembler: video, problems } = assembler();
    video.assemble(madeAccessUnit(madeSps(), madePps(), IDR));
    const before = video.track;
    for (let i = 0; i < 3; i++) video.assemble(madeAccessUnit(Uint8Array.of(0x67, 77, 0), IDR));
    expect(problems.map((problem) => problem.code)).toEqual(['codec_bad_config']);
    expect(video.track).toBe(before);
  });

  it('passes on a sample that needs no change without copying it', () => {
    const { assembler: video } = assembler();
    expect(
      video.configure(
        writeAvcC({ profileIdc: 77, constraints: 0, levelIdc: 31, lengthSize: 4, sps: [madeSps()], pps: [madePps()] }),
      ),
    ).toBe(true);
    expect(video.track).toMatchObject({ width: 320 });
    const clean = sample(USER_DATA, IDR);
    expect(video.assembleSample(clean)?.data).toBe(clean);
    const mixed = video.assembleSample(sample(AUD, madeSps(), madePps(), IDR));
    expect(Buffer.from(mixed?.data ?? []).equals(sample(IDR))).toBe(true);
    expect(mixed?.isRandomAccess).toBe(true);
    const short = Buffer.concat([Buffer.from([0, P.length]), P]);
    expect(Buffer.from(video.assembleSample(short, 2)?.data ?? []).equals(sample(P))).toBe(true);
  });

  it('finds pictures in a sample whose only unit is a prefix NAL unit with start codes inside, as in slow-motion recordings of phones', () => {
    const { assembler: video, problems } = assembler();
    const prefix = Uint8Array.of(0x6e, 0xc0, 0x80, 0x0f);
    video.assemble(madeAccessUnit(madeSps(), madePps(), IDR));
    const wrapped = sample(Buffer.concat([prefix, madeAccessUnit(USER_DATA, P)]));
    const given = Buffer.from(wrapped);
    const picture = video.assembleSample(wrapped);
    expect(Buffer.from(picture?.data ?? []).equals(sample(USER_DATA, P))).toBe(true);
    expect([problems, wrapped.equals(given)]).toEqual([[], true]);
  });

  it.each([
    ['a byte stream', [Buffer.from([0, 0, 0, 1, ...USER_DATA, 0, 0, 1, ...IDR, 0, 0, 0, 1, ...P])]],
    [
      'one length before a byte stream',
      [sample(Buffer.from([0, 0, 0, 1, ...USER_DATA, 0, 0, 1, ...IDR, 0, 0, 0, 1, ...P]))],
    ],
    [
      'a length instead of the first start code',
      [sample(Buffer.from([...USER_DATA, 0, 0, 1, ...IDR, 0, 0, 0, 1, ...P]))],
    ],
    [
      'a length before each start code',
      [sample(Buffer.from([0, 0, 1, ...USER_DATA]), Buffer.from([0, 0, 0, 1, ...IDR]), P)],
    ],
    ['start codes between lengths', [sample(USER_DATA, Buffer.from([...IDR, 0, 0, 0, 1, ...P]))]],
  ])('finds the NAL units of a sample that is %s', (_, [bytes]) => {
    const { assembler: video, problems } = assembler();
    video.assemble(madeAccessUnit(madeSps(), madePps(), IDR));
    const picture = video.assembleSample(bytes!);
    expect(Buffer.from(picture?.data ?? []).equals(sample(USER_DATA, IDR, P))).toBe(true);
    expect([problems, picture?.isRandomAccess]).toEqual([[], true]);
  });

  it('reads parameter sets from a configuration in byte stream form, and from samples', () => {
    const { assembler: video } = assembler();
    expect(video.configure(madeAccessUnit(madeSps(), madePps()))).toBe(true);
    expect(video.assembleSample(madeAccessUnit(IDR))?.isRandomAccess).toBe(true);
    expect(video.track).toMatchObject({ width: 320 });
    const { assembler: other } = assembler();
    other.configure(new Uint8Array(0));
    expect(other.assembleSample(madeAccessUnit(madeSps(), madePps(), IDR))?.isRandomAccess).toBe(true);
  });

  it('drops the damaged end of a sample, and reports it', () => {
    const { assembler: video, problems } = assembler();
    video.assemble(madeAccessUnit(madeSps(), madePps(), IDR));
    const picture = video.assembleSample(Buffer.concat([sample(P), Buffer.from([0, 0, 1, 0, 0x41])]));
    expect(Buffer.from(picture?.data ?? []).equals(sample(P))).toBe(true);
    expect(problems.map((problem) => problem.code)).toEqual(['codec_bad_frame']);
    expect(video.configure(Uint8Array.of(1, 2, 3))).toBe(false);
  });

  it('returns the same sample from both forms, and accepts any units', () => {
    const kinds = [
      AUD,
      madeSps(),
      madeSps({ widthInMbs: 30 }),
      madePps(),
      madePps(2, 9),
      USER_DATA,
      madeRecoveryPoint(0),
      IDR,
      I,
      P,
      FILLER,
    ];
    const units = fc.array(
      fc.oneof(fc.constantFrom(...kinds), fc.uint8Array({ minLength: 1, maxLength: 30, min: 1 })),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(fc.array(units, { maxLength: 6 }), (stream) => {
        const one = assembler().assembler;
        const two = assembler().assembler;
        let givenBytes = 0;
        for (const unit of stream) {
          const prefixed = sample(...unit);
          // A sample may contain the parameter sets of earlier access units.
          givenBytes += prefixed.length;
          const annexB = Buffer.alloc(prefixed.length);
          lengthPrefixedToAnnexB(annexB, 0, prefixed);
          const [a, b] = [one.assemble(annexB), two.assembleSample(prefixed)];
          expect(a && { ...a, data: [...a.data] }).toEqual(b && { ...b, data: [...b.data] });
          expect(one.track).toEqual(two.track);
          if (a) expect(a.data.length).toBeLessThanOrEqual(givenBytes);
        }
      }),
    );
  });

  it('adds changed parameter sets to the samples, and keeps the format', () => {
    const { assembler: video } = assembler();
    const other = Uint8Array.from([...madePps(), 0x80]);
    const isWith = (data: Uint8Array | undefined, ...units: readonly Uint8Array[]): boolean =>
      Buffer.from(data ?? []).equals(sample(...units));
    expect(isWith(video.assemble(madeAccessUnit(madeSps(), madePps(), IDR))?.data, IDR)).toBe(true);
    const { track } = video;
    // Another PPS with the same id is sent with its picture, and with each random access point.
    expect(isWith(video.assemble(madeAccessUnit(other, P))?.data, other, P)).toBe(true);
    expect(isWith(video.assemble(madeAccessUnit(P))?.data, P)).toBe(true);
    expect(isWith(video.assemble(madeAccessUnit(IDR))?.data, madeSps(), other, IDR)).toBe(true);
    expect(isWith(video.assemble(madeAccessUnit(madeSps(), madePps(), IDR))?.data, madeSps(), madePps(), IDR)).toBe(
      true,
    );
    expect(video.track).toBe(track);
  });

  it('accepts another configuration of the same format, and adds its parameter sets to the next picture', () => {
    const { assembler: video } = assembler();
    video.assemble(madeAccessUnit(madeSps(), madePps(), IDR));
    const { track } = video;
    const record = readAvcC(track?.decoderConfig ?? new Uint8Array());
    const other = Uint8Array.from([...madePps(), 0x80]);
    if (!record) throw new Error('no record');
    expect(video.configure(writeAvcC({ ...record, pps: [other] }))).toBe(true);
    expect(video.track).toBe(track);
    expect(Buffer.from(video.assembleSample(sample(P))?.data ?? []).equals(sample(madeSps(), other, P))).toBe(true);
    expect(Buffer.from(video.assembleSample(sample(P))?.data ?? []).equals(sample(P))).toBe(true);
  });
});
