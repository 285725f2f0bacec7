import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../tests/helpers/growth.ts';
import { RecordingSink } from '../../tests/helpers/recording-sink.ts';
import { madeAudio } from '../../tests/helpers/made-input.ts';
import { trackNumber } from '../media/track.ts';
import { writeInitSegment } from '../media/containers/isobmff/init-segment.ts';
import { parseFakeOptions } from './fake/fake-options.ts';
import { resolveInputPath } from './file/file-path.ts';
import { parseExternalAddress } from './external/external-address.ts';
import { CookieJar } from './hls/cookie-jar.ts';
import { FragmentSegments } from './hls/segments/fragment-segments.ts';
import { parseHlsAddress } from './hls/hls-address.ts';
import { PackedAudioSegments } from './hls/segments/packed-audio.ts';
import { TsSegments } from './hls/segments/ts-segments.ts';
import { parseVariantWish } from './hls/variant-choice.ts';
import { parseTsHttpAddress } from './mpegts/ts-http-address.ts';
import { parsePlaylist } from './playlist/playlist-text.ts';
import { readPublishAddress } from './rtmp/publish-address.ts';
import { RtpOrder } from './udp/rtp-order.ts';
import { readRtpPacket, writeRtpPacket } from '../media/containers/mpegts/rtp-packet.ts';
import { parseUdpAddress } from './udp/udp-address.ts';

const HOSTILE = [
  ' ',
  '/',
  ':',
  '@',
  '[',
  ']',
  '?',
  '&',
  '=',
  '%',
  '%41',
  '1',
  'a',
  '"',
  '|',
  'a=1&',
  'a: b|',
  '../',
  '#EXTINF: ',
];

/** Parsers of external text. Each inserts hostile text into otherwise valid input. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'udp address': (text) => [parseUdpAddress(`udp://${text}`), parseUdpAddress(`udp://239.0.0.1:1${text}`)],
  'external address': (text) =>
    ['rtsp', 'srt', 'rtmp'].map((scheme) => parseExternalAddress(`${scheme}://${text}!`, {})),
  'hls address': (text) => [
    parseHlsAddress(`hls://a/${text}`, {}),
    parseHlsAddress('hls://a/', { headers: text, variant: text }),
  ],
  'http address': (text) => parseTsHttpAddress(`tshttp://a/${text}`),
  'publish address': (text) => readPublishAddress(text, text, text),
  'test picture with options': (text) =>
    parseFakeOptions(
      new Map([
        ['size', text],
        ['fps', text],
      ]),
    ),
  'file path': (text) => resolveInputPath(text, '/'),
  'file list': (text) => [parsePlaylist(text), parsePlaylist(text.replaceAll(' ', '\n'))],
  variant: (text) => parseVariantWish(text),
};

describe('the time to parse external text is proportional to its size', () => {
  it.each(Object.entries(READERS))('for a %s', async (_name, read) => {
    for (const pattern of HOSTILE)
      await expectLinear({
        make: (size) => `${pattern.repeat(size / pattern.length)}x`,
        run: read,
        sizes: [500, 16_000],
      });
  });

  it('for cookies', async () => {
    const url = new URL('http://example.org/');
    for (const pattern of HOSTILE)
      await expectLinear({
        make: (size) => Array.from({ length: size / 50 }, (_, at) => `n${at}=1;${pattern.repeat(20)}`),
        run: (lines) => {
          const jar = new CookieJar();
          jar.take(url, lines, 0);
          return jar.header(url);
        },
        sizes: [500, 16_000],
      });
  });
});

describe('the time to read external media is proportional to its size', () => {
  it('for RTP packets in any order', async () => {
    for (const step of [1, 2, 15, 16, 17, 1023, 1025, 0xffff]) {
      await expectLinear({
        make: (size) =>
          Array.from({ length: size }, (_, at) =>
            writeRtpPacket({ payloadType: 33, sequence: (at * step) & 0xffff, ssrc: 1, payload: new Uint8Array(8) }),
          ),
        run: (packets) => {
          const order = new RtpOrder({ payload: () => undefined, lost: () => undefined });
          for (const packet of packets) order.push(readRtpPacket(packet)!);
        },
        sizes: [500, 16_000],
      });
    }
  });

  it.each([
    ['a transport stream', '47', TsSegments],
    ['packed audio', 'fff1508000fffc', PackedAudioSegments],
    ['empty boxes', '0000000866726565', FragmentSegments],
  ])('for segments of %s', async (_name, pattern, Reader) => {
    await expectLinear({
      make: (size) => Buffer.alloc(size, Buffer.from(pattern, 'hex')),
      run: (bytes) => {
        const reader = new Reader(new RecordingSink());
        reader.open(bytes, undefined);
        while (reader.step());
      },
      sizes: [2000, 64_000],
    });
  });

  it('for fragments that announce samples without bytes', async () => {
    const init = Buffer.from(writeInitSegment(madeAudio()));
    const tfhd = Buffer.from('000000100000000000000001', 'hex');
    tfhd.writeUInt32BE(trackNumber('a1'), 4);
    const run = box('trun', Buffer.from('0000000000018000', 'hex'));
    const fragment = box('moof', box('traf', Buffer.concat([box('tfhd', tfhd), run])));
    const make = (size: number): Buffer => Buffer.alloc(size - (size % fragment.length), fragment);
    const stepsOf = (bytes: Buffer): number => {
      const reader = new FragmentSegments(new RecordingSink());
      reader.open(bytes, init);
      let count = 0;
      while (reader.step()) count++;
      return count;
    };
    expect(stepsOf(make(1_000_000))).toBeGreaterThan(98_304);
    expect(stepsOf(make(1_000_000))).toBeLessThan(125_000 + 1_000_000 / fragment.length);
    await expectLinear({ make, run: stepsOf, sizes: [64_000, 512_000] });
  });
});

function box(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}
