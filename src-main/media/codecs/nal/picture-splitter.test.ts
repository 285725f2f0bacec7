import { describe, expect, it } from 'vitest';
import { madeAccessUnit, madePps, madeRecoveryPoint, madeSps } from '../../../../tests/helpers/made-h264-units.ts';
import { H264PictureSyntax } from '../h264/picture-syntax.ts';
import { H265PictureSyntax } from '../h265/picture-syntax.ts';
import { BitWriter } from './bit-writer.ts';
import { addEmulation } from './emulation.ts';
import { PictureSplitter } from './picture-splitter.ts';
import type { PictureSyntax } from './picture-syntax.ts';

const AUD = Uint8Array.of(0x09, 0xf0);
const END = Uint8Array.of(0x0a);
const SEI = madeRecoveryPoint(0);

interface MadeSlice {
  readonly header?: number;
  readonly frame: number;
  readonly first?: number;
  readonly order?: number;
  readonly idrId?: number;
  /** Writes the flags of a picture that may be a field. */
  readonly field?: 'frame' | 'top' | 'bottom';
  readonly bytes?: number;
}

/** Slice for `madeSps()`: 4 bits of frame_num, 6 bits of pic_order_cnt_lsb. */
function slice({
  header = 0x41,
  frame,
  first = 0,
  order = frame * 2,
  idrId,
  field,
  bytes = 60,
}: MadeSlice): Uint8Array {
  const writer = new BitWriter()
    .ue(first)
    .ue(5)
    .ue(0)
    .bits(4, frame & 15);
  if (field !== undefined) writer.flag(field !== 'frame');
  if (field === 'top' || field === 'bottom') writer.flag(field === 'bottom');
  if ((header & 0x1f) === 5) writer.ue(idrId ?? 0);
  writer.bits(6, order & 63);
  for (let i = 0; i < bytes; i++) writer.bits(8, 0x5a);
  return Uint8Array.of(header, ...addEmulation(writer.trailing().finish()));
}

/**
 * Splits pieces. Each piece is first peeked at byte by byte, as the transport stream reader does. Returns the first
 * bytes of the units of each picture.
 */
function cut(pieces: readonly (Uint8Array | 'lost')[], syntax: PictureSyntax = new H264PictureSyntax()): number[][] {
  const pictures: number[][] = [];
  const splitter = new PictureSplitter(
    syntax,
    { bytes: 0, take: () => true },
    {
      picture: ({ bytes, bounds, from, to }) => {
        const heads: number[] = [];
        for (let i = from; i < to; i += 2) heads.push(bytes[bounds[i]!]!);
        pictures.push(heads);
      },
      tooLarge: () => undefined,
    },
  );
  for (const piece of pieces) {
    if (piece === 'lost') {
      splitter.interrupt();
      continue;
    }
    for (let end = 1; end <= piece.length && !splitter.peek(piece, 0, end);) end++;
    splitter.push(piece, 0, piece.length);
  }
  splitter.endPicture();
  return pictures;
}

const sets = [madeSps(), madePps()];
const idr = slice({ header: 0x65, frame: 0 });

describe('PictureSplitter of H.264', () => {
  it('keeps the slices of a picture together, wherever packets end', () => {
    const units = [
      ...sets,
      SEI,
      idr,
      slice({ header: 0x65, frame: 0, first: 40 }),
      slice({ frame: 1 }),
      slice({ frame: 1, first: 40 }),
    ];
    const expected = [
      [0x67, 0x68, 0x06, 0x65, 0x65],
      [0x41, 0x41],
    ];
    expect(cut([madeAccessUnit(...units)])).toEqual(expected);
    expect(cut(units.map((unit) => madeAccessUnit(unit)))).toEqual(expected);
    const bytes = madeAccessUnit(...units);
    for (let at = 1; at < bytes.length; at++)
      expect(cut([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
  });

  it('starts a picture with the SEI before it, unless slices of the previous picture follow', () => {
    const first = madeAccessUnit(...sets, idr, SEI);
    expect(cut([first, madeAccessUnit(slice({ frame: 1 }))])).toEqual([
      [0x67, 0x68, 0x65],
      [0x06, 0x41],
    ]);
    expect(cut([first, madeAccessUnit(slice({ header: 0x65, frame: 0, first: 40 }))])).toEqual([
      [0x67, 0x68, 0x65, 0x06, 0x65],
    ]);
  });

  it('joins both fields of a frame to one picture, also from two packets', () => {
    const interlaced = [madeSps({ isInterlaced: true }), madePps()];
    const top = (frame: number, header = 0x41): Uint8Array => slice({ header, frame, field: 'top' });
    const bottom = (frame: number): Uint8Array => slice({ frame, order: frame * 2 + 1, field: 'bottom' });
    const pieces = [
      madeAccessUnit(AUD, ...interlaced, top(0, 0x65)),
      madeAccessUnit(AUD, bottom(0)),
      madeAccessUnit(AUD, top(1)),
      madeAccessUnit(AUD, bottom(1)),
      // A field without its second field, and a frame.
      madeAccessUnit(AUD, top(2)),
      madeAccessUnit(AUD, slice({ frame: 3, field: 'frame' })),
    ];
    const expected = [
      [0x09, 0x67, 0x68, 0x65, 0x09, 0x41],
      [0x09, 0x41, 0x09, 0x41],
      [0x09, 0x41],
      [0x09, 0x41],
    ];
    expect(cut(pieces)).toEqual(expected);
    expect(cut([Buffer.concat(pieces)])).toEqual(expected);
  });

  it('separates pictures whose counters do not change', () => {
    const one = madeAccessUnit(...sets, idr);
    expect(cut([one, madeAccessUnit(idr), madeAccessUnit(idr)])).toHaveLength(3);
    expect(cut([madeAccessUnit(...sets, idr, idr, idr)])).toHaveLength(3);
  });

  it('ends a picture at an end-of-sequence unit', () => {
    expect(cut([madeAccessUnit(...sets, idr, END), madeAccessUnit(slice({ frame: 0, first: 40 }))])).toEqual([
      [0x67, 0x68, 0x65, 0x0a],
      [0x41],
    ]);
  });

  it('recovers after a picture without its first slice, and joins the remaining slices after a lost slice', () => {
    const start = madeAccessUnit(...sets, idr);
    expect(cut([start, 'lost', madeAccessUnit(slice({ frame: 1, first: 40 }))])).toEqual([[0x67, 0x68, 0x65], [0x41]]);
    expect(cut([start, 'lost', madeAccessUnit(slice({ header: 0x65, frame: 0, first: 40 }))])).toEqual([
      [0x67, 0x68, 0x65, 0x65],
    ]);
    expect(
      cut([
        start.subarray(0, start.length - 20),
        'lost',
        start.subarray(start.length - 5),
        madeAccessUnit(slice({ frame: 1 })),
      ]),
    ).toEqual([[0x67, 0x68, 0x65], [0x41]]);
  });

  it('drops a partial picture at the start of a stream', () => {
    expect(cut([madeAccessUnit(slice({ frame: 1, first: 40 }), AUD, ...sets, idr)])).toEqual([
      [0x09, 0x67, 0x68, 0x65],
    ]);
  });

  it('joins the slices of a baseline stream in any order', () => {
    const baseline = [madeSps({ profileIdc: 66 }), madePps()];
    const pieces = [
      ...baseline,
      slice({ header: 0x65, frame: 0, first: 40 }),
      idr,
      slice({ frame: 1, first: 40 }),
      slice({ frame: 1 }),
    ];
    expect(cut([madeAccessUnit(...pieces)])).toEqual([
      [0x67, 0x68, 0x65, 0x65],
      [0x41, 0x41],
    ]);
  });
});

describe('PictureSplitter of H.265', () => {
  const first = (type: number): Uint8Array => Uint8Array.of(type << 1, 1, 0xd0, ...new Uint8Array(60).fill(0x5a));
  const next = (type: number): Uint8Array => Uint8Array.of(type << 1, 1, 0x50, ...new Uint8Array(60).fill(0x5a));
  const prefixSei = Uint8Array.of(39 << 1, 1, 5, 1, 1, 0x80);
  const suffixSei = Uint8Array.of(40 << 1, 1, 5, 1, 1, 0x80);
  const extension = Uint8Array.of(1 << 1, (1 << 3) | 1, 0xd0, ...new Uint8Array(60).fill(0x5a));

  it('starts a picture with its first slice segment and the units before it', () => {
    const units = [first(19), next(19), suffixSei, extension, prefixSei, first(1), next(1), first(1)];
    const expected = [[38, 38, 80, 2], [78, 2, 2], [2]];
    const bytes = madeAccessUnit(...units);
    expect(cut([bytes], new H265PictureSyntax())).toEqual(expected);
    for (let at = 1; at < bytes.length; at++)
      expect(cut([bytes.subarray(0, at), bytes.subarray(at)], new H265PictureSyntax())).toEqual(expected);
  });
});
