import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spliceInsert } from '../../../../tests/helpers/splice-sections.ts';
import { completeSegments } from './media-playlist.ts';
import type { MediaPlaylist } from './media-playlist.ts';
import type { MultivariantPlaylist } from './multivariant-playlist.ts';
import { parsePlaylist } from './parse-playlist.ts';
import type { VariableOrigins } from './playlist-variables.ts';
import { ivOfSequenceNumber } from './segment-key.ts';

function media(text: string, origins: VariableOrigins = {}): MediaPlaylist {
  const playlist = parsePlaylist(text, origins);
  if (playlist?.kind !== 'media') throw new Error('no media playlist');
  return playlist;
}

function multivariant(text: string): MultivariantPlaylist {
  const playlist = parsePlaylist(text);
  if (playlist?.kind !== 'multivariant') throw new Error('no multivariant playlist');
  return playlist;
}

describe('a media playlist', () => {
  it('is parsed as written by ffmpeg', () => {
    const playlist = media(
      '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:17\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:2.000000,\n' +
        '#EXT-X-PROGRAM-DATE-TIME:2026-11-21T05:05:20.858+0000\na.m4s\n#EXT-X-DISCONTINUITY\n#EXTINF:1.960000,title, with a comma\nb.m4s\n#EXT-X-ENDLIST\n',
    );
    expect(playlist).toEqual({
      kind: 'media',
      targetMs: 2000,
      mediaSequence: 17,
      isEnded: true,
      serverControl: { canBlockReload: false },
      skippedSegments: 0,
      segments: [
        {
          msn: 17,
          durationMs: 2000,
          uri: 'a.m4s',
          keys: [],
          map: { uri: 'init.mp4', keys: [] },
          discontinuities: 0,
          isGap: false,
          startMs: Date.UTC(2026, 10, 21, 5, 5, 20, 858),
          parts: [],
        },
        {
          msn: 18,
          durationMs: 1960,
          uri: 'b.m4s',
          keys: [],
          map: { uri: 'init.mp4', keys: [] },
          discontinuities: 1,
          isGap: false,
          parts: [],
        },
      ],
    });
  });

  it('is parsed with low latency, parts as byte ranges and an open segment', () => {
    const playlist = media(`#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-VERSION:9
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,CAN-SKIP-UNTIL=12.0,HOLD-BACK=12.5
#EXT-X-PART-INF:PART-TARGET=0.33334
#EXT-X-MEDIA-SEQUENCE:266
#EXT-X-PROGRAM-DATE-TIME:2019-02-14T02:13:36.106Z
#EXT-X-MAP:URI="all.mp4",BYTERANGE="720@0"
#EXTINF:4.00008,
#EXT-X-BYTERANGE:1000@720
all.mp4
#EXT-X-PART:DURATION=0.33334,URI="all.mp4",BYTERANGE="200@1720",INDEPENDENT=YES
#EXT-X-PART:DURATION=0.33334,URI="all.mp4",BYTERANGE="300"
#EXTINF:0.66668,
#EXT-X-BYTERANGE:500
all.mp4
#EXT-X-PART:DURATION=0.33334,URI="next.mp4",GAP=YES
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="next.mp4",BYTERANGE-START=10`);
    const map = { uri: 'all.mp4', range: { offsetBytes: 0, lengthBytes: 720 }, keys: [] };
    expect(playlist).toMatchObject({
      partTargetMs: 333,
      serverControl: { canBlockReload: true, holdBackMs: 12_500, partHoldBackMs: 1000 },
      isEnded: false,
    });
    expect(playlist.segments).toMatchObject([
      { msn: 266, range: { offsetBytes: 720, lengthBytes: 1000 }, map, parts: [] },
      {
        msn: 267,
        range: { offsetBytes: 1720, lengthBytes: 500 },
        startMs: Date.UTC(2019, 1, 14, 2, 13, 40, 106),
        parts: [
          {
            uri: 'all.mp4',
            durationMs: 333,
            range: { offsetBytes: 1720, lengthBytes: 200 },
            isIndependent: true,
            isGap: false,
          },
          {
            uri: 'all.mp4',
            durationMs: 333,
            range: { offsetBytes: 1920, lengthBytes: 300 },
            isIndependent: false,
            isGap: false,
          },
        ],
      },
      { msn: 268, durationMs: 333, parts: [{ uri: 'next.mp4', isGap: true }] },
    ]);
    expect(playlist.segments[2]).not.toHaveProperty('uri');
    expect(completeSegments(playlist)).toHaveLength(2);
  });

  it('is parsed with keys that change, have several formats, and end', () => {
    const playlist = media(`#EXTM3U
#EXT-X-KEY:METHOD=AES-128,URI="k1",IV=0x1
#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"
#EXTINF:1,
a
#EXTINF:1,
b
#EXT-X-KEY:METHOD=AES-128,URI="k2"
#EXTINF:1,
c
#EXT-X-KEY:METHOD=NONE
#EXTINF:1,
d`);
    expect(playlist.segments.map(({ keys }) => keys.map(({ method, uri }) => [method, uri]))).toEqual([
      [
        ['AES-128', 'k1'],
        ['SAMPLE-AES', 'skd://k'],
      ],
      [
        ['AES-128', 'k1'],
        ['SAMPLE-AES', 'skd://k'],
      ],
      [['AES-128', 'k2']],
      [],
    ]);
    expect(playlist.segments[0]?.keys[0]?.iv).toEqual(Uint8Array.from([...Array<number>(15).fill(0), 1]));
    expect(ivOfSequenceNumber(0x1_0000_0203)).toEqual(Uint8Array.from([...Array<number>(11).fill(0), 1, 0, 0, 2, 3]));
  });

  it('counts damaged segments, and keeps their readable fields', () => {
    const playlist = media(
      '#EXTM3U\r\n#EXT-X-TARGETDURATION:x\r\n#EXT-X-MEDIA-SEQUENCE:3\r\na\r\n#EXTINF:nan,\r\nb\r\n#EXT-X-BYTERANGE:1e3@0\r\n#EXTINF:1.5\r\nc\r\n#EXT-X-GAP\r\n#EXTINF:2,\r\nd\r\n',
    );
    expect(playlist.segments.map(({ msn, durationMs, uri, isGap }) => [msn, durationMs, uri, isGap])).toEqual([
      [3, 0, 'a', false],
      [4, 0, 'b', false],
      [5, 1500, 'c', false],
      [6, 2000, 'd', true],
    ]);
    expect(playlist.targetMs).toBe(2000);
    expect(media('#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:1,\na\n').segments[0]?.msn).toBe(3);
  });

  it('replaces variables defined in the playlist, its address, and the multivariant playlist', () => {
    const text =
      '#EXTM3U\n#EXT-X-DEFINE:NAME="host",VALUE="cdn"\n#EXT-X-DEFINE:QUERYPARAM="token"\n#EXT-X-DEFINE:IMPORT="path"\n#EXTINF:1,\nhttps://{$host}/{$path}/a.ts?t={$token}&x={$none}\n';
    const origins = { query: new URLSearchParams('token=77'), imports: new Map([['path', 'live']]) };
    expect(media(text, origins).segments[0]?.uri).toBe('https://cdn/live/a.ts?t=77&x={$none}');
  });

  it('is printed and parsed without loss, for any content', () => {
    const uri = fc.stringMatching(/^[a-z0-9/._?=&-]{1,20}$/);
    const range = fc.option(fc.record({ offsetBytes: fc.nat(1e9), lengthBytes: fc.nat(1e9) }), { nil: undefined });
    const segment = fc.record({
      uri,
      durationMs: fc.nat(60_000),
      range,
      isGap: fc.boolean(),
      isDiscontinuity: fc.boolean(),
      startMs: fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.nat(2 ** 40), fc.array(segment, { maxLength: 30 }), (mediaSequence, segments) => {
        const lines = segments.flatMap((one) => [
          ...(one.isDiscontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
          ...(one.startMs === undefined ? [] : [`#EXT-X-PROGRAM-DATE-TIME:${new Date(one.startMs).toISOString()}`]),
          ...(one.isGap ? ['#EXT-X-GAP'] : []),
          ...(one.range ? [`#EXT-X-BYTERANGE:${one.range.lengthBytes}@${one.range.offsetBytes}`] : []),
          `#EXTINF:${one.durationMs / 1000},`,
          one.uri,
        ]);
        const read = media(['#EXTM3U', `#EXT-X-MEDIA-SEQUENCE:${mediaSequence}`, ...lines].join('\n'));
        expect(
          read.segments.map(({ msn, uri: address, durationMs, isGap, range: bytes }) => ({
            msn,
            uri: address,
            durationMs,
            isGap,
            range: bytes,
          })),
        ).toEqual(
          segments.map(({ uri: address, durationMs, isGap, range: bytes }, index) => ({
            msn: mediaSequence + index,
            uri: address,
            durationMs,
            isGap,
            range: bytes,
          })),
        );
        expect(read.segments.at(-1)?.discontinuities ?? 0).toBe(
          segments.filter(({ isDiscontinuity }) => isDiscontinuity).length,
        );
        for (const [index, { startMs }] of segments.entries())
          if (startMs !== undefined) expect(read.segments[index]?.startMs).toBe(startMs);
      }),
    );
  });
});

describe('a multivariant playlist', () => {
  it('is parsed as written by Airdesk', () => {
    const playlist = multivariant(`#EXTM3U
#EXT-X-VERSION:9
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="a1",LANGUAGE="deu",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a1/index.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="in the picture"
#EXT-X-MEDIA:TYPE=AUDIO,NAME="of no group"
#EXT-X-STREAM-INF:BANDWIDTH=889675,AVERAGE-BANDWIDTH=878614,CODECS="avc1.640014,mp4a.40.2",RESOLUTION=320x180,FRAME-RATE=25,AUDIO="audio"
v1/index.m3u8
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8"
#EXT-X-STREAM-INF:PROGRAM-ID=1, BANDWIDTH=300

#comment
low.m3u8`);
    expect(playlist.variants).toEqual([
      {
        uri: 'v1/index.m3u8',
        bandwidth: 889_675,
        width: 320,
        height: 180,
        codecs: ['avc1.640014', 'mp4a.40.2'],
        frameRate: 25,
        audioGroup: 'audio',
      },
      { uri: 'low.m3u8', bandwidth: 300 },
    ]);
    expect(playlist.renditions).toEqual([
      {
        type: 'AUDIO',
        groupId: 'audio',
        name: 'a1',
        language: 'deu',
        isDefault: true,
        isAutoselect: true,
        uri: 'a1/index.m3u8',
      },
      { type: 'AUDIO', groupId: 'audio', name: 'in the picture', isDefault: false, isAutoselect: false },
    ]);
  });
});

describe('parsePlaylist with any text', () => {
  it('returns a playlist or undefined, and never throws', () => {
    const tag = fc.constantFrom(
      'EXTINF:',
      'EXT-X-KEY:METHOD=AES-128,IV=0x',
      'EXT-X-PART:DURATION=1,URI=',
      'EXT-X-MAP:',
      'EXT-X-BYTERANGE:',
      'EXT-X-DEFINE:NAME=',
      'EXT-X-STREAM-INF:',
      'EXT-X-SKIP:SKIPPED-SEGMENTS=9',
      'EXT-X-MEDIA:',
    );
    const line = fc.oneof(
      fc.string(),
      fc.tuple(tag, fc.string()).map(([name, rest]) => `#${name}${rest}`),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const playlist = parsePlaylist(['#EXTM3U', ...lines].join('\n'));
        expect(['media', 'multivariant']).toContain(playlist?.kind);
      }),
    );
    for (const text of ['', '#EXTINF:1,\na', '<html>#EXTM3U', '#EXTM3U8\n'])
      expect(parsePlaylist(text)).toBeUndefined();
    expect(parsePlaylist('\uFEFF#EXTM3U\n')).toMatchObject({ kind: 'media', segments: [] });
  });
});

describe('splice marks of a media playlist', () => {
  const section = Buffer.from(spliceInsert({ eventId: 3 }));

  it('are read from every dialect of cue tags, before their segments', () => {
    const { segments } = media(
      [
        '#EXTM3U',
        '#EXT-X-CUE-OUT',
        '#EXTINF:2,',
        'a.ts',
        '#EXT-X-CUE-OUT-CONT: 2.5/30',
        '#EXTINF:2,',
        'b.ts',
        '#EXT-X-CUE-OUT:DURATION=30.5,BREAKID=12',
        `#EXT-OATCLS-SCTE35:${section.toString('base64')}`,
        '#EXTINF:2,',
        'c.ts',
        `#EXT-X-SCTE35:CUE="${section.toString('base64')}",ID="1",CUE-OUT=CONT,ELAPSED=4,DURATION=30`,
        '#EXT-X-CUE-IN',
        '#EXTINF:2,',
        'd.ts',
        '#EXT-X-CUE-OUT:nonsense',
        '#EXT-X-SPLICEPOINT-SCTE35:*',
        '#EXTINF:2,',
        'e.ts',
      ].join('\n'),
    );
    const bytes = new Uint8Array(section);
    expect(segments.map(({ marks }) => marks)).toEqual([
      [{ kind: 'out' }],
      [{ kind: 'continued', elapsedMs: 2500, durationMs: 30_000 }],
      [
        { kind: 'out', durationMs: 30_500, eventId: 12 },
        { kind: 'section', section: bytes },
      ],
      [{ kind: 'continued', section: bytes, elapsedMs: 4000, durationMs: 30_000 }, { kind: 'in' }],
      [{ kind: 'damaged' }, { kind: 'damaged' }],
    ]);
  });

  it('are read from date ranges with sections only', () => {
    const hex = `0x${section.toString('hex')}`;
    const { dateRanges } = media(
      [
        '#EXTM3U',
        `#EXT-X-DATERANGE:ID="a",START-DATE="2026-11-21T12:00:00Z",PLANNED-DURATION=30,SCTE35-OUT=${hex}`,
        `#EXT-X-DATERANGE:ID="a",END-DATE="2026-11-21T12:00:20Z",SCTE35-IN=${hex}`,
        '#EXT-X-DATERANGE:ID="b",START-DATE="2026-11-21T12:00:00Z",CLASS="com.example"',
        '#EXT-X-DATERANGE:ID="c",START-DATE="2026-11-21T12:00:00Z",SCTE35-CMD=0xF',
        `#EXT-X-DATERANGE:ID="d",START-DATE="never",SCTE35-CMD=${hex}`,
        ...Array.from(
          { length: 2000 },
          (_, n) => `#EXT-X-DATERANGE:ID="${n}",START-DATE="2026-11-21T12:00:00Z",SCTE35-CMD=${hex}`,
        ),
      ].join('\n'),
    );
    const startMs = Date.parse('2026-11-21T12:00:00Z');
    const bytes = new Uint8Array(section);
    expect(dateRanges?.slice(0, 3)).toEqual([
      { id: 'a', startMs, out: bytes },
      { id: 'a', startMs, durationMs: 20_000, in: bytes },
      { id: 'c', startMs, cmd: 'damaged' },
    ]);
    expect(dateRanges).toHaveLength(512);
  });
});
