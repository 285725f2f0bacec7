import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../tests/helpers/growth.ts';
import { RecordingSink } from '../../tests/helpers/recording-sink.ts';
import { AdtsSplitter } from './codecs/aac/splitter.ts';
import { Ac3Splitter } from './codecs/ac3/splitter.ts';
import type { AudioSplitter, VideoAssembler } from './codecs/assembler.ts';
import { H264Assembler } from './codecs/h264/assembler.ts';
import { H265Assembler } from './codecs/h265/assembler.ts';
import { MpegAudioSplitter } from './codecs/mp3/splitter.ts';
import { opusConfigOfCode } from './codecs/opus/channel-config.ts';
import { OpusSplitter } from './codecs/opus/splitter.ts';
import { FlvTagReader } from './containers/flv/flv-tag-reader.ts';
import { readChunk } from './containers/isobmff/chunk-reader.ts';
import { readFragment } from './containers/isobmff/movie-fragment.ts';
import { readMovie } from './containers/isobmff/movie.ts';
import { MpegTsReader } from './containers/mpegts/reader.ts';
import { readAggregate } from './containers/rtmp/aggregate.ts';
import { readAmf0 } from './containers/rtmp/amf0.ts';
import { ChunkStreamReader } from './containers/rtmp/chunk-stream-reader.ts';
import { readPackedAudioStart } from './manifests/hls/id3-timestamp.ts';
import { readSpliceInfo, writeSpliceInfo } from './scte35/splice-info.ts';

/** Short patterns in hexadecimal by name. Each is repeated up to the requested size. */
type Patterns = Readonly<Record<string, string>>;

const SIZES = [1000, 16_000];
const options = { trackId: 'a1', problem: () => undefined };

/** Tests each pattern, in one piece and in small pieces. */
function patterns(of: Patterns, run: (bytes: Buffer, pieceBytes: number) => unknown): void {
  for (const [name, hex] of Object.entries(of)) {
    it.each([
      ['in one piece', Infinity],
      ['in small pieces', 61],
    ])(`${name}, %s`, async (_how, pieceBytes) => {
      const pattern = Buffer.from(hex.replaceAll(' ', ''), 'hex');
      await expectLinear({
        make: (size) => Buffer.alloc(Math.ceil(size / pattern.length) * pattern.length, pattern),
        run: (bytes) => run(bytes, pieceBytes),
        sizes: SIZES,
      });
    });
  }
}

function pieces(bytes: Buffer, pieceBytes: number, push: (piece: Buffer) => void): void {
  for (let at = 0; at < bytes.length; at += pieceBytes) push(bytes.subarray(at, at + pieceBytes));
}

const NOISE: Patterns = { zeros: '00', ones: 'ff', text: '61206221' };

describe('the time to read transport streams is proportional to their size', () => {
  const packet = (head: string, rest: string) =>
    head + rest.repeat(Math.ceil((188 - head.length / 2) / (rest.length / 2)));
  const cut = (hex: string) => hex.slice(0, 376);
  patterns(
    {
      ...NOISE,
      'sync bytes alone': '47',
      'sync bytes at odd distances': `47${'00'.repeat(186)}`,
      'empty sections': cut(packet('47400010 00'.replaceAll(' ', ''), '00b00700000000000000')),
      'sections that never end': cut(packet('47400010', '00')),
      'adaptation fields': cut(packet('47000030b7', '00')),
      'damaged packets': cut(packet('47800010', '00')),
    },
    (bytes, pieceBytes) => {
      const reader = new MpegTsReader(new RecordingSink());
      pieces(bytes, pieceBytes, (piece) => {
        reader.push(piece);
      });
      reader.flush();
    },
  );
});

describe('the time to read video is proportional to its size', () => {
  const assemblers: Readonly<Record<string, () => VideoAssembler & { assembleSample(sample: Uint8Array): unknown }>> = {
    h264: () => new H264Assembler(options),
    h265: () => new H265Assembler(options),
  };
  for (const [codec, make] of Object.entries(assemblers)) {
    describe(codec, () => {
      patterns(
        {
          ...NOISE,
          'start codes': '000001',
          'small units': '00000109 00000106 0000010c',
          'parameter sets': '00000167640028acd9407802 0000016801 00000140010c 0000014201 0000014401',
          'emulation bytes': '000003',
          'units after lengths': '0000000109',
          slices: '00000165b8 0000014188 00000126019f',
        },
        (bytes, pieceBytes) => {
          const [assembler, ofSamples] = [make(), make()];
          pieces(bytes, pieceBytes, (piece) => {
            assembler.assemble(piece);
            ofSamples.assembleSample(piece);
          });
        },
      );
    });
  }
});

describe('the time to read audio is proportional to its size', () => {
  const splitters: Readonly<Record<string, () => AudioSplitter>> = {
    aac: () => new AdtsSplitter(options),
    mp3: () => new MpegAudioSplitter(options),
    ac3: () => new Ac3Splitter(options),
    opus: () => new OpusSplitter(opusConfigOfCode(2)!, options),
  };
  for (const [codec, make] of Object.entries(splitters)) {
    describe(codec, () => {
      patterns(
        {
          ...NOISE,
          'sync bytes': '0b77 7fe0 fff1',
          'headers that state the longest frame': 'fff15083fffc00',
          'the smallest frames': 'fff1508000fffc fff1508000fffc',
          'frames of other formats': 'fffb90c4 0b770000 7fe001aa',
        },
        (bytes, pieceBytes) => {
          const splitter = make();
          pieces(bytes, pieceBytes, (piece) => {
            splitter.split(piece, () => undefined);
          });
        },
      );
    });
  }
});

describe('the time to read RTMP and FLV is proportional to their size', () => {
  patterns(
    {
      ...NOISE,
      'empty messages': '03 000000 000000 09 01000000',
      'tiny messages': '03 000000 000001 09 01000000 17',
      'repeated headers': '04 000000 010000 09 01000000 c4',
      'a message on each chunk stream': '03 000000 000100 09 01000000 04 000000 000100 09 01000000',
    },
    (bytes, pieceBytes) => {
      const reader = new ChunkStreamReader({ message: () => undefined, problem: () => undefined });
      pieces(bytes, pieceBytes, (piece) => {
        reader.push(piece);
      });
    },
  );
  patterns(
    {
      'changing codecs': '17000000000164001fffe10000 1c00000001',
      'tracks without bytes': '9601000000',
      'many damaged tags': '90 17 27 af ff',
    },
    (bytes, pieceBytes) => {
      const reader = new FlvTagReader(new RecordingSink());
      pieces(bytes, pieceBytes, (piece) => {
        for (const type of [8, 9, 18]) reader.push(type, 0, piece);
      });
    },
  );
  patterns(
    {
      'objects in objects': '03000161',
      'arrays in arrays': '0a00000001',
      'arrays that announce too much': '0affffffff',
      'empty strings': '020000',
      'one object of many fields': '00016105',
      nulls: '05',
    },
    (bytes) => [readAmf0(bytes), readAmf0(Buffer.concat([Buffer.of(3), bytes]))],
  );
  patterns({ aggregates: '09000000 00000000 000000 00000000', ...NOISE }, (bytes) => readAggregate(0, 1, bytes));
});

describe('the time to read MP4 is proportional to its size', () => {
  const box = (type: string, body: Uint8Array = new Uint8Array(0)): Buffer<ArrayBuffer> => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + body.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  const many = (size: number, piece: Buffer<ArrayBuffer>) =>
    Buffer.concat(Array.from({ length: Math.ceil(size / piece.length) }, () => piece));
  const tfhd = box('tfhd', Buffer.from('0000000000000001', 'hex'));
  const emptyRun = box('trun', Buffer.from('0000000000000000', 'hex'));
  const defaults = {
    trackId: 1,
    sampleDescriptionIndex: 1,
    sampleDurationTicks: 1,
    sampleSizeBytes: 1,
    sampleFlags: 0,
  };
  it.each<[string, (size: number) => Buffer<ArrayBuffer>]>([
    ['empty boxes', (size) => box('moov', many(size, box('free')))],
    ['empty tracks', (size) => box('moov', many(size, box('trak')))],
    ['tracks of boxes', (size) => box('moov', many(size, box('trak', many(400, box('mdia')))))],
    [
      'boxes in boxes',
      (size) => {
        let inner = box('free');
        while (inner.length < Math.min(size, 8000)) inner = box('moov', inner);
        return inner;
      },
    ],
    ['fragments of tracks', (size) => box('moof', many(size, box('traf', tfhd)))],
    ['fragments of runs', (size) => box('moof', box('traf', Buffer.concat([tfhd, many(size, emptyRun)])))],
    ['fragments', (size) => many(size, box('moof', box('traf', tfhd)))],
  ])('for %s', async (_name, make) => {
    await expectLinear({
      make,
      run: (bytes) => [readMovie(bytes), readFragment(bytes, 0, defaults, 0), readChunk(bytes)],
      sizes: SIZES,
    });
  });

  it('with a limited number of samples', () => {
    const run = (count: number) => box('trun', Buffer.from(`00000000${count.toString(16).padStart(8, '0')}`, 'hex'));
    const fragment = (runs: Buffer<ArrayBuffer>[]) => box('moof', box('traf', Buffer.concat([tfhd, ...runs])));
    expect(readFragment(fragment([run(60), run(40)]), 0, defaults, 0, 100)?.totalSamples).toBe(100);
    expect(readFragment(fragment([run(60), run(41)]), 0, defaults, 0, 100)).toBeUndefined();
    expect(readFragment(fragment([run(0xffffffff)]), 0, defaults, 0)).toBeUndefined();
  });
});

describe('the time to read other messages is proportional to their size', () => {
  patterns({ 'ID3 tags': '49443304000000000000', 'ID3 frames': '5052495600000001 000000', ...NOISE }, (bytes) => {
    bytes.write('ID3');
    return readPackedAudioStart(bytes);
  });

  it.each([0, 2])('SCTE-35 with many descriptors of tag %d', async (tag) => {
    const descriptor = { type: 'raw', tag, data: Buffer.from('43554549', 'hex') } as const;
    await expectLinear({
      make: (size) =>
        writeSpliceInfo({
          sapType: 3,
          ptsAdjustmentTicks: 0,
          cwIndex: 0,
          tier: 0xfff,
          command: { type: 'null' },
          descriptors: Array.from({ length: size }, () => descriptor),
        }),
      run: readSpliceInfo,
      sizes: [10, 80, 640],
    });
  });
});
