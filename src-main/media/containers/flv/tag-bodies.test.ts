import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAudioTag, writeExAudioTag, writeOldAudioTag } from './audio-tag.ts';
import type { FlvAudioPacket } from './audio-tag.ts';
import { readVideoTag, writeExVideoTag, writeOldVideoTag } from './video-tag.ts';
import type { FlvVideoPacket } from './video-tag.ts';

const anyData = fc.uint8Array({ maxLength: 40 });
const anyKind = fc.constantFrom('config' as const, 'frame' as const, 'end' as const);
const anyOffset = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 999_999 }));

/** Tracks of one tag share kind, key flag and offset. Their numbers differ. */
function tagOf<P extends { readonly trackNumber: number; readonly codec: string }>(
  packet: fc.Arbitrary<P>,
  codecs: readonly string[],
): fc.Arbitrary<P[]> {
  const others = fc.uniqueArray(
    fc.record({ trackNumber: fc.nat(255), codec: fc.constantFrom(...codecs), data: anyData }),
    {
      selector: (other) => other.trackNumber,
      maxLength: 3,
    },
  );
  return fc
    .tuple(packet, others)
    .map(([first, more]) => [
      first,
      ...more.filter((other) => other.trackNumber !== first.trackNumber).map((other) => ({ ...first, ...other })),
    ]);
}

function plain<P extends { readonly data: Uint8Array }>(packets: readonly P[] | undefined): unknown {
  return packets?.map((packet) => ({ ...packet, data: [...packet.data] }));
}

function fromHex(text: string): Uint8Array {
  return Buffer.from(text.replace(/\s/g, ''), 'hex');
}

describe('video tags', () => {
  const anyPacket = fc.record({
    kind: anyKind,
    codec: fc.constantFrom('avc1', 'hvc1'),
    trackNumber: fc.nat(255),
    isKeyFrame: fc.boolean(),
    compositionTimeMs: fc.integer({ min: -0x800000, max: 0x7fffff }),
    offsetNs: anyOffset,
    data: anyData,
  });

  it('in legacy form are parsed as written', () => {
    fc.assert(
      fc.property(anyPacket, (packet) => {
        const compositionTimeMs = packet.kind === 'frame' ? packet.compositionTimeMs : 0;
        const data = packet.kind === 'end' ? new Uint8Array(0) : packet.data;
        const expected: FlvVideoPacket = { ...packet, trackNumber: 0, offsetNs: 0, compositionTimeMs, data };
        expect(plain(readVideoTag(writeOldVideoTag(expected)))).toEqual(plain([expected]));
      }),
    );
  });

  it('with FourCC are parsed as written, for one or many tracks', () => {
    fc.assert(
      fc.property(tagOf(anyPacket, ['avc1', 'hvc1']), (packets) => {
        const expected = packets.map((packet) =>
          packet.kind === 'frame' ? packet : { ...packet, compositionTimeMs: 0 },
        );
        expect(plain(readVideoTag(writeExVideoTag(expected)))).toEqual(plain(expected));
      }),
    );
  });

  it.each([
    ['AVC sequence header', '17 00 000000 0164', { kind: 'config', codec: 'avc1', isKeyFrame: true, data: [1, 0x64] }],
    [
      'AVC picture 80 ms late',
      '27 01 000050 aabb',
      { kind: 'frame', codec: 'avc1', isKeyFrame: false, compositionTimeMs: 80 },
    ],
    ['AVC picture with a negative time', '27 01 ffffd8 aa', { compositionTimeMs: -40 }],
    ['H.265 under the number 12', '1c 01 000000 aa', { kind: 'frame', codec: 'hvc1' }],
    ['Sorenson H.263', '12 aa', { kind: 'frame', codec: 'flv:2' }],
    ['seek command', '57 00', { kind: 'other' }],
    ['HEVC SequenceStart', '90 68766331 01', { kind: 'config', codec: 'hvc1', isKeyFrame: true, data: [1] }],
    [
      'HEVC CodedFrames',
      'a1 68766331 000028 aa',
      { kind: 'frame', compositionTimeMs: 40, isKeyFrame: false, data: [0xaa] },
    ],
    ['HEVC CodedFramesX', 'a3 68766331 aabb', { kind: 'frame', compositionTimeMs: 0, data: [0xaa, 0xbb] }],
    ['AV1 CodedFrames, without composition time', '91 61763031 12', { kind: 'frame', codec: 'av01', data: [0x12] }],
    ['HDR metadata', '94 68766331 02', { kind: 'other' }],
    ['command with FourCC', 'd0 00', { kind: 'other' }],
    ['nanosecond offset', '97 02 000064 03 61766331 aa', { kind: 'frame', offsetNs: 100, data: [0xaa] }],
    [
      'modifier of 257 bytes that is not known',
      `97 ff 0100 ${'00'.repeat(257)} 13 61766331 aa`,
      { kind: 'frame', offsetNs: 0, data: [0xaa] },
    ],
  ])('are parsed: %s', (_, hex, expected) => {
    const [packet] = readVideoTag(fromHex(hex)) ?? [];
    expect({ ...packet, data: [...(packet?.data ?? [])] }).toMatchObject(expected);
  });

  it('can carry many tracks with different codecs', () => {
    const packets = readVideoTag(fromHex('96 23 61766331 00 000002 aabb 68766331 01 000001 cc'));
    expect(packets?.map(({ codec, trackNumber, data }) => [codec, trackNumber, [...data]])).toEqual([
      ['avc1', 0, [0xaa, 0xbb]],
      ['hvc1', 1, [0xcc]],
    ]);
  });

  it.each([
    '',
    '17',
    '17 01 0000',
    '27 03 000000 aa',
    '91 6176',
    '91 61766331 0000',
    '97',
    '97 ff',
    '96',
    '96 13 61766331 00 000009 aa',
    '96 33 61766331',
  ])('are refused when damaged: %s', (hex) => {
    expect(readVideoTag(fromHex(hex))).toBeUndefined();
  });
});

describe('audio tags', () => {
  const codecs = ['mp4a', '.mp3', 'Opus', 'ac-3', 'ec-3', 'fLaC'];
  const anyPacket: fc.Arbitrary<FlvAudioPacket> = fc.record({
    kind: anyKind,
    codec: fc.constantFrom(...codecs),
    trackNumber: fc.nat(255),
    offsetNs: anyOffset,
    data: anyData,
  });

  it('in legacy form are parsed as written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('config' as const, 'frame' as const),
        fc.constantFrom('mp4a', '.mp3'),
        anyData,
        (kind, codec, data) => {
          const expected: FlvAudioPacket = {
            kind: codec === 'mp4a' ? kind : 'frame',
            codec,
            trackNumber: 0,
            offsetNs: 0,
            data,
          };
          expect(plain(readAudioTag(writeOldAudioTag(expected)))).toEqual(plain([expected]));
        },
      ),
    );
  });

  it('with FourCC are parsed as written, for one or many tracks', () => {
    fc.assert(
      fc.property(tagOf(anyPacket, codecs), (packets) => {
        expect(plain(readAudioTag(writeExAudioTag(packets)))).toEqual(plain(packets));
      }),
    );
  });

  it.each([
    ['AAC sequence header', 'af 00 1190', { kind: 'config', codec: 'mp4a', data: [0x11, 0x90] }],
    ['raw AAC', 'af 01 21', { kind: 'frame', codec: 'mp4a', data: [0x21] }],
    ['MP3', '2f fffb', { kind: 'frame', codec: '.mp3', data: [0xff, 0xfb] }],
    ['MP3 at 8 kHz', 'ef fffb', { kind: 'frame', codec: '.mp3' }],
    ['Speex', 'b2 aa', { kind: 'frame', codec: 'flv:11' }],
    ['Opus SequenceStart', '90 4f707573 4f', { kind: 'config', codec: 'Opus', data: [0x4f] }],
    ['AC-3', '91 61632d33 0b77', { kind: 'frame', codec: 'ac-3', data: [0x0b, 0x77] }],
    ['channel layout', '94 4f707573 01020000', { kind: 'other' }],
    [
      'one track of a multitrack stream',
      '95 01 6d703461 02 21',
      { kind: 'frame', codec: 'mp4a', trackNumber: 2, data: [0x21] },
    ],
  ])('are parsed: %s', (_, hex, expected) => {
    const [packet] = readAudioTag(fromHex(hex)) ?? [];
    expect({ ...packet, data: [...(packet?.data ?? [])] }).toMatchObject(expected);
  });

  it.each(['', 'af', 'af 05 aa', '91 6d70', '95', '95 11 6d703461 00 0000'])('are refused when damaged: %s', (hex) => {
    expect(readAudioTag(fromHex(hex))).toBeUndefined();
  });
});

it('tag readers never read outside the given bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      for (const packets of [readVideoTag(bytes), readAudioTag(bytes)]) {
        for (const packet of packets ?? []) expect(packet.data.length).toBeLessThan(bytes.length);
      }
    }),
    { numRuns: 700 },
  );
});
