import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoxWriter } from './box-writer.ts';
import { findBox, readBoxes, readBoxStart } from './box.ts';
import { ByteReader } from './byte-reader.ts';
import { readEsDescriptor, writeEsDescriptor } from './es-descriptor.ts';
import { readFileType, writeFileType } from './file-type.ts';
import { readHandler, writeHandler } from './handler.ts';
import { readMediaHeader, writeMediaHeader } from './media-header.ts';
import { readMovieHeader, writeMovieHeader } from './movie-header.ts';
import { readProducerReferenceTime, writeProducerReferenceTime } from './producer-reference-time.ts';
import { readSampleEntry, writeSampleEntry } from './sample-entry.ts';
import type { SampleEntry } from './sample-entry.ts';
import { readTrackExtends, writeTrackExtends } from './track-extends.ts';
import { readTrackFragmentDecodeTime, writeTrackFragmentDecodeTime } from './track-fragment-decode-time.ts';
import { readTrackFragmentHeader, writeTrackFragmentHeader } from './track-fragment-header.ts';
import { readTrackHeader, writeTrackHeader } from './track-header.ts';
import { readTrackRun, writeTrackRun } from './track-run.ts';

interface Kind {
  readonly read: (body: ByteReader) => unknown;
  /** Values, each with its written bytes. */
  readonly roundTrips: readonly { readonly value: unknown; readonly bytes: Uint8Array }[];
}

function kind<T>(
  read: (body: ByteReader) => T | undefined,
  write: (out: BoxWriter, value: T) => void,
  values: readonly T[],
): Kind {
  const roundTrips = values.map((value) => {
    const out = new BoxWriter();
    write(out, value);
    return { value, bytes: out.finish() };
  });
  return { read, roundTrips };
}

const kinds: Readonly<Record<string, Kind>> = {
  ftyp: kind(readFileType, writeFileType, [
    { majorBrand: 'cmfc', minorVersion: 0, compatibleBrands: ['iso6', 'mp41'] },
  ]),
  mvhd: kind(readMovieHeader, writeMovieHeader, [
    { timescale: 1000, durationTicks: 0, nextTrackId: 2 },
    { timescale: 90_000, durationTicks: 2 ** 40, nextTrackId: 3 },
  ]),
  tkhd: kind(readTrackHeader, writeTrackHeader, [
    {
      trackId: 1,
      isEnabled: true,
      alternateGroup: 0,
      durationTicks: 0,
      isAudio: false,
      displayWidth: 1920,
      displayHeight: 1080.5,
    },
    {
      trackId: 9,
      isEnabled: false,
      alternateGroup: 2,
      durationTicks: 2 ** 41,
      isAudio: true,
      displayWidth: 0,
      displayHeight: 0,
    },
  ]),
  mdhd: kind(readMediaHeader, writeMediaHeader, [
    { timescale: 90_000, durationTicks: 0 },
    { timescale: 48_000, durationTicks: 2 ** 50, language: 'deu' },
  ]),
  hdlr: kind(readHandler, writeHandler, [{ handlerType: 'vide', name: 'Video' }]),
  trex: kind(readTrackExtends, writeTrackExtends, [
    { trackId: 1, sampleDescriptionIndex: 1, sampleDurationTicks: 1024, sampleSizeBytes: 7, sampleFlags: 0x0200_0000 },
  ]),
  tfhd: kind(readTrackFragmentHeader, writeTrackFragmentHeader, [
    { trackId: 1, isBaseMoof: true },
    {
      trackId: 2,
      isBaseMoof: false,
      baseDataOffset: 2 ** 45,
      sampleDescriptionIndex: 1,
      sampleDurationTicks: 2,
      sampleSizeBytes: 3,
      sampleFlags: 4,
    },
  ]),
  tfdt: kind(readTrackFragmentDecodeTime, writeTrackFragmentDecodeTime, [
    { baseDecodeTicks: 2 ** 53 - 1 },
    { baseDecodeTicks: 0 },
  ]),
  trun: kind(readTrackRun, writeTrackRun, [
    { samples: [] },
    { dataOffset: -8, firstSampleFlags: 5, samples: [{ sizeBytes: 1 }, { sizeBytes: 2 }] },
    { dataOffset: 8, samples: [{ durationTicks: 1, sizeBytes: 2, flags: 3, compositionOffsetTicks: -4 }] },
  ]),
  prft: kind(readProducerReferenceTime, writeProducerReferenceTime, [
    { referenceTrackId: 1, epochMs: 1_795_000_000_001, mediaTicks: 2 ** 52, flags: 24 },
    { referenceTrackId: 1, epochMs: 2_500_000_000_999, mediaTicks: 0, flags: 0 },
  ]),
  esds: kind(readEsDescriptor, writeEsDescriptor, [
    { objectType: 0x40, specificConfig: new Uint8Array([0x12, 0x10]) },
    { objectType: 0x6b, specificConfig: new Uint8Array(0) },
    { objectType: 0x40, specificConfig: new Uint8Array(300).fill(7) },
  ]),
};

const entries: readonly SampleEntry[] = [
  {
    content: 'video',
    type: 'avc1',
    width: 1920,
    height: 1080,
    sarWidth: 1,
    sarHeight: 1,
    config: new Uint8Array([1, 2, 3]),
  },
  { content: 'video', type: 'hvc1', width: 720, height: 576, sarWidth: 16, sarHeight: 11, config: new Uint8Array([4]) },
  {
    content: 'audio',
    type: 'mp4a',
    channels: 2,
    sampleRate: 44_100,
    objectType: 0x40,
    config: new Uint8Array([0x12, 0x10]),
  },
  { content: 'audio', type: 'mp4a', channels: 1, sampleRate: 48_000, objectType: 0x6b, config: new Uint8Array(0) },
  {
    content: 'audio',
    type: 'ac-3',
    channels: 6,
    sampleRate: 48_000,
    objectType: 0,
    config: new Uint8Array([0x10, 0x3d, 0x40]),
  },
  {
    content: 'audio',
    type: 'ec-3',
    channels: 6,
    sampleRate: 48_000,
    objectType: 0,
    config: new Uint8Array([7, 0, 0x20, 0x0f, 0]),
  },
  { content: 'audio', type: 'Opus', channels: 2, sampleRate: 48_000, objectType: 0, config: new Uint8Array(11) },
];

describe('small boxes', () => {
  it.each(Object.entries(kinds))('%s is parsed as written', (type, { read, roundTrips }) => {
    for (const { value, bytes } of roundTrips) {
      expect(readBoxStart(bytes, 0)).toEqual({ type, sizeBytes: bytes.length, headerBytes: 8 });
      expect(read(new ByteReader(bytes, 8))).toEqual(value);
    }
  });

  it.each(Object.entries(kinds))(
    '%s is undefined if truncated, and is never read past its bytes',
    (_type, { read, roundTrips }) => {
      for (const { bytes } of roundTrips) {
        for (let end = 8; end < bytes.length; end++) expect(() => read(new ByteReader(bytes, 8, end))).not.toThrow();
        expect(read(new ByteReader(bytes, 8, 10))).toBeUndefined();
      }
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
          read(new ByteReader(bytes));
        }),
      );
    },
  );

  it.each(entries)('include the sample entry $type, which is parsed as written', (entry) => {
    const out = new BoxWriter();
    writeSampleEntry(out, entry);
    const bytes = out.finish();
    expect(readSampleEntry(bytes, 0, bytes.length)).toEqual(entry);
    for (let end = 0; end < bytes.length; end++) expect(readSampleEntry(bytes, 0, end)).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        const damaged = bytes.slice();
        damaged[at] = byte;
        readSampleEntry(damaged, 0, damaged.length);
      }),
    );
  });

  it('include sample entries of unsupported formats, with their type', () => {
    const bytes = new BoxWriter().open('vp09').zeros(80).close().finish();
    expect(readSampleEntry(bytes, 0, bytes.length)).toEqual({ content: 'unknown', type: 'vp09' });
  });

  it('are listed with 32-bit and 64-bit sizes, and with a last box that extends to the end', () => {
    const out = new BoxWriter().open('aaaa').u32(7).close();
    out.u32(1).ascii('bbbb').u64(20).u32(8);
    out.u32(0).ascii('cccc').u32(9);
    const bytes = out.finish();
    expect(readBoxes(bytes)).toEqual([
      { type: 'aaaa', start: 0, bodyStart: 8, end: 12 },
      { type: 'bbbb', start: 12, bodyStart: 28, end: 32 },
      { type: 'cccc', start: 32, bodyStart: 40, end: 44 },
    ]);
    expect(findBox(bytes, ['bbbb'])?.start).toBe(12);
    expect(findBox(bytes, ['bbbb', 'aaaa'])).toBeUndefined();
  });

  it('are listed up to the first invalid box', () => {
    for (const size of [1, 2, 7, 13, 0xffff_ffff]) {
      const bytes = new BoxWriter().open('good').close().u32(size).ascii('evil').u32(0).finish();
      expect(readBoxes(bytes).map((box) => box.type)).toEqual(['good']);
    }
  });
});
