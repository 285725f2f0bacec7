import fc from 'fast-check';
import { expect, it } from 'vitest';
import { INDEX_FIELDS, readLoopFile, writeLoopFile, type TestPictureLoop } from './loop-file.ts';

function sharedOf(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

function loopOf(units: number, bytes: Uint8Array, config: Uint8Array): TestPictureLoop {
  const index = Int32Array.from({ length: units * INDEX_FIELDS }, (_, at) => at * 3);
  return {
    video: { decoderConfig: config, width: 160, height: 90, fpsNumerator: 30_000, fpsDenominator: 1001 },
    audio: { decoderConfig: Uint8Array.of(0x11, 0x90), sampleRate: 48_000, channels: 2, samplesPerFrame: 1024 },
    loopTicks: 1_440_000,
    units,
    index: sharedOf(new Uint8Array(index.buffer)),
    bytes: sharedOf(bytes),
  };
}

/** A loop in a comparable form. */
function plain({ index, bytes, ...rest }: TestPictureLoop): object {
  return { ...rest, index: Buffer.from(new Uint8Array(index)), bytes: Buffer.from(new Uint8Array(bytes)) };
}

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });

it('readLoopFile reads every written loop', () => {
  fc.assert(
    fc.property(fc.nat(20), bytes(200), bytes(40), (units, media, config) => {
      const loop = loopOf(units, media, config);
      const read = readLoopFile(writeLoopFile(loop));
      expect(read && plain(read)).toEqual(plain(loop));
    }),
  );
});

it('readLoopFile reads into shared memory, separate from the file', () => {
  const file = writeLoopFile(loopOf(1, Uint8Array.of(1, 2, 3), Uint8Array.of(1)));
  const read = readLoopFile(file);
  file.fill(0);
  expect(read?.bytes).toBeInstanceOf(SharedArrayBuffer);
  expect([...new Uint8Array(read?.bytes ?? new SharedArrayBuffer(0))]).toEqual([1, 2, 3]);
});

it('readLoopFile rejects a file with any byte changed, removed or added', () => {
  const file = writeLoopFile(loopOf(3, Uint8Array.of(1, 2, 3, 4), Uint8Array.of(5, 6)));
  fc.assert(
    fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ change;
      const added = Buffer.concat([file.subarray(0, at), Buffer.of(change), file.subarray(at)]);
      expect([changed, file.subarray(0, at), added].map(readLoopFile)).toEqual([undefined, undefined, undefined]);
    }),
  );
  expect(readLoopFile(Buffer.concat([file, Buffer.of(0)]))).toBeUndefined();
});
