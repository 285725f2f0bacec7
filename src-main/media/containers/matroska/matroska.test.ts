import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { madeVideo } from '../../../../tests/helpers/made-input.ts';
import { displayOf } from '../../display.ts';
import { isLaced, PlainBlock, readBlockHead } from './block.ts';
import { elementsIn, ID, readElementStart, readSize } from './element.ts';
import { readTracks, readUnitNs } from './head.ts';
import { readDisplay, statedTrack } from './stated-track.ts';

/** Element size in the fewest bytes, or in `length` bytes. */
function size(value: number, length = 1): number[] {
  const maxValue = 2 ** (7 * length) - 1;
  if (value >= maxValue) return size(value, length + 1);
  const bytes = Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256);
  return bytes.map((byte, index) => (index === 0 ? byte | (0x80 >> (length - 1)) : byte));
}

function idBytes(id: number): number[] {
  const bytes = [24, 16, 8, 0].map((shift) => (id >>> shift) & 0xff);
  return bytes.slice(bytes.findIndex((byte) => byte !== 0));
}

function element(id: number, data: readonly number[]): number[] {
  return [...idBytes(id), ...size(data.length), ...data];
}

describe('Matroska elements', () => {
  it('have sizes of any length', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 40 }), (value) => {
        const bytes = Uint8Array.from(size(value));
        expect(readSize(bytes, 0)).toEqual({ value, length: bytes.length });
      }),
    );
    expect(readSize(Uint8Array.of(0xff), 0)).toEqual({ value: undefined, length: 1 });
    expect(readSize(Uint8Array.of(0x01, ...Array<number>(7).fill(0xff)), 0)).toEqual({ value: undefined, length: 8 });
    expect(readElementStart(Uint8Array.of(0), 0)).toBeUndefined();
  });

  it('with any bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        for (const { start, end } of elementsIn(bytes, 0, bytes.length)) {
          expect(end).toBeLessThanOrEqual(bytes.length);
          expect(start).toBeLessThanOrEqual(end);
        }
        readTracks(bytes);
        readUnitNs(bytes);
        readBlockHead(bytes, bytes.length);
      }),
    );
  });
});

describe('Matroska blocks', () => {
  const frames = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 2, maxLength: 20 });

  it('list their frames at the right positions, for each kind of lacing', () => {
    fc.assert(
      fc.property(frames, fc.constantFrom(2, 6), fc.integer({ min: -32768, max: 32767 }), (sizes, lacing, time) => {
        const few = sizes.slice(0, -1);
        const lengths =
          lacing === 2
            ? few.flatMap((length) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255])
            : few.flatMap((length, index) => {
                const before = sizes[index - 1];
                return before === undefined ? size(length, 2) : size(length - before + 2 ** 13 - 1, 2);
              });
        const head = [...size(3), (time >> 8) & 0xff, time & 0xff, 0x80 | lacing, sizes.length - 1, ...lengths];
        const all = head.length + sizes.reduce((sum, length) => sum + length, 0);
        const block = readBlockHead(Uint8Array.from(head), all);
        expect(isLaced(Uint8Array.from(head))).toBe(true);
        expect(block).toMatchObject({ trackNumber: 3, relativeTime: time, isKey: true });
        expect(block?.frames.map(({ sizeBytes }) => sizeBytes)).toEqual(sizes);
        expect(block?.frames[0]?.offset).toBe(head.length);
      }),
    );
  });

  it('with one frame are read equally by both readers', () => {
    const heads = fc.tuple(fc.nat({ max: 200 }), fc.nat({ max: 255 }), fc.nat({ max: 255 }), fc.nat({ max: 255 }));
    const data = fc.tuple(heads, fc.nat({ max: 40_000 }), fc.integer({ min: 1, max: 8 }));
    const plain = new PlainBlock();
    let found = 0;
    fc.assert(
      fc.property(data, fc.nat({ max: 3 }), ([[number, high, low, flags], length, sizeLength], before) => {
        const head = [...size(number), high, low, flags];
        const bytes = Uint8Array.from([...Array<number>(before).fill(0), 0xa3, ...size(length, sizeLength), ...head]);
        const start = readElementStart(bytes, before);
        const dataAt = before + (start?.headBytes ?? 0);
        const block = readBlockHead(bytes, length, dataAt);
        if (!plain.read(bytes, before)) return;
        found++;
        const { trackNumber, relativeTime, isKey, frameAt, end } = plain;
        const frames = [{ offset: frameAt - dataAt, sizeBytes: end - frameAt }];
        expect(block).toEqual({ trackNumber, relativeTime, isKey, frames });
        expect(end).toBe(dataAt + length);
      }),
      { numRuns: 500 },
    );
    expect(found).toBeGreaterThan(20);
    expect(plain.read(Uint8Array.of(0xa3, 0x84), 0)).toBe(false);
    expect(plain.read(new Uint8Array(0), 0)).toBe(false);
  });

  it('with frames of one size list each frame', () => {
    const head = Uint8Array.of(0x81, 0, 5, 0x04, 2);
    expect(readBlockHead(head, 5 + 30)?.frames).toEqual([5, 15, 25].map((offset) => ({ offset, sizeBytes: 10 })));
    expect(readBlockHead(head, 5 + 31)).toBeUndefined();
  });
});

describe('Matroska tracks', () => {
  it('that are unsupported are reported with their codec', () => {
    const entry = (codec: string, extra: readonly number[] = []): number[] =>
      element(ID.trackEntry, [
        ...element(ID.trackNumber, [1]),
        ...element(ID.trackType, [1]),
        ...element(ID.codecId, [...Buffer.from(codec)]),
        ...extra,
      ]);
    const problems = (bytes: readonly number[]): string[] =>
      readTracks(Uint8Array.from(bytes)).problems.map(({ detail }) => detail);
    expect(problems(entry('V_VP9'))).toEqual(['Track 1: VP9 video is not supported. Send H.264 or H.265']);
    const encoded = (type: number): number[] => {
      const encoding = element(0x6240, element(ID.contentEncodingType, [type]));
      return entry('V_MPEG4/ISO/AVC', element(ID.contentEncodings, encoding));
    };
    expect(problems(encoded(0))).toEqual([
      'Track 1: the frames of the H.264 are compressed (ContentEncodings), which is not supported. Remux the file',
    ]);
    expect(problems(encoded(1))).toEqual(['Track 1: the H.264 is encrypted. Send it without encryption (DRM)']);
    const leftOut = [0, 1].map((type) => readTracks(Uint8Array.from(encoded(type))).problems[0]?.leftOut);
    expect(leftOut).toEqual([
      [{ content: 'video', codec: 'H.264' }],
      [{ content: 'video', codec: 'H.264', isEncrypted: true }],
    ]);
    expect(readUnitNs(Uint8Array.from(element(ID.timestampScale, [0x03, 0xe8])))).toBe(1000);
  });
});

describe('Matroska display settings', () => {
  const display = (...fields: readonly number[][]) => {
    const bytes = Uint8Array.from(element(ID.video, fields.flat()));
    return readDisplay(bytes, [...elementsIn(bytes, 0, bytes.length)][0]);
  };
  const roll = (degrees: number): number[] => {
    const data = Buffer.alloc(4);
    data.writeFloatBE(degrees);
    return element(ID.projection, element(ID.projectionPoseRoll, [...data]));
  };

  it.each([
    [0, 0, 160, 90],
    [90, 270, 90, 160],
    [-90, 90, 90, 160],
    [180, 180, 160, 90],
  ])('rotate the picture for a roll of %i degrees counter-clockwise', (degrees, rotationDegrees, width, height) => {
    const track = statedTrack({ ...madeVideo(), width: 160, height: 90 }, new Uint8Array(), display(roll(degrees)));
    expect(track.content === 'video' && displayOf(track)).toEqual({ rotationDegrees, width, height });
  });

  it('give the aspect ratio without the cropped rows', () => {
    const sizes = [element(ID.displayWidth, [160]), element(ID.displayHeight, [80]), element(ID.pixelCropTop, [10])];
    const track = statedTrack({ ...madeVideo(), width: 160, height: 90 }, new Uint8Array(), display(...sizes));
    expect(track).toMatchObject({ sarWidth: 1, sarHeight: 1 });
  });
});
