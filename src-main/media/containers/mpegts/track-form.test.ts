import { expect, it } from 'vitest';
import { madeVideo } from '../../../../tests/helpers/made-input.ts';
import { trackForm } from './track-form.ts';

const CODECS = [
  { codec: 'h264', delimiter: [0x09, 0xf0], slice: [0x41, 0x9a, 0x01] },
  { codec: 'h265', delimiter: [0x46, 0x01, 0x50], slice: [0x02, 0x01, 0xd0] },
] as const;

const prefixed = (...units: readonly (readonly number[])[]): Uint8Array =>
  Uint8Array.from(units.flatMap((unit) => [0, 0, 0, unit.length, ...unit]));

const byteStream = (...units: readonly (readonly number[])[]): Buffer =>
  Buffer.from(units.flatMap((unit) => [0, 0, 0, 1, ...unit]));

it.each(CODECS)('writes exactly one delimiter at the start of an access unit of $codec', (one) => {
  const { codec, delimiter, slice } = one;
  const form = trackForm({ ...madeVideo(), codec, decoderConfig: new Uint8Array(0) });
  const written = (...units: readonly (readonly number[])[]): Buffer => {
    const target = Buffer.alloc(200);
    return target.subarray(0, form.write(target, 0, prefixed(...units), false));
  };
  const expected = byteStream(delimiter, slice);
  expect(written(slice)).toEqual(expected);
  expect(written(delimiter, slice)).toEqual(expected);
  expect(written(slice, delimiter)).toEqual(expected);
  expect(written(delimiter, slice, delimiter)).toEqual(expected);
  // The second field of a frame is an access unit of its own (H.264, 3.30).
  expect(written(slice, delimiter, slice)).toEqual(byteStream(delimiter, slice, delimiter, slice));
  expect(written()).toEqual(byteStream(delimiter));
});
