import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { RecordingInput } from '../../../tests/helpers/recording-input.ts';
import { FAST, HlsFolder } from '../../../tests/helpers/hls-folder.ts';

const folder = new HlsFolder();
afterEach(() => folder.reset());
afterAll(() => folder.close());

const VOD = ['-hls_playlist_type', 'vod'];

/** Plays a recording to its end. */
async function play(name: string, options: Readonly<Record<string, string>> = {}): Promise<RecordingInput> {
  const sink = new RecordingInput();
  folder.open(`${await folder.serve()}/${name}`, sink, options);
  expect(await sink.end()).toEqual({ code: 'input_ended', ...because('list_ended') });
  return sink;
}

function times(sink: RecordingInput, trackId: string): { dts: number; pts: number }[] {
  return sink.units(trackId).map(({ dtsTicks, ptsTicks }) => ({ dts: dtsTicks, pts: ptsTicks }));
}

/** Times listed by ffprobe from MPEG-TS and MP4 may differ by one tick of rounding. */
function expectTimes(
  found: readonly { dts: number; pts: number }[],
  expected: readonly { dts: number; pts: number }[],
  shift = 0,
): void {
  expect(found).toHaveLength(expected.length);
  const distances = found.flatMap((one, index) => [
    Math.abs(one.dts - expected[index]!.dts - shift),
    Math.abs(one.pts - expected[index]!.pts - shift),
  ]);
  expect(Math.max(...distances)).toBeLessThanOrEqual(1);
}

function expectRising(sink: RecordingInput): void {
  const all = sink.units().map(({ dtsTicks }) => dtsTicks);
  expect(all).toEqual(all.toSorted((a, b) => a - b));
}

describe('an HLS recording', () => {
  it.each([
    ['ts.m3u8', [...FAST, ...VOD]],
    ['fmp4.m3u8', [...FAST, ...VOD, '-hls_segment_type', 'fmp4']],
    ['ranges.m3u8', [...FAST, ...VOD, '-hls_flags', 'single_file']],
    ['ranges-fmp4.m3u8', [...FAST, ...VOD, '-hls_segment_type', 'fmp4', '-hls_flags', 'single_file']],
    ['mp3.m3u8', [...FAST, ...VOD, '-c:a', 'libmp3lame']],
    [
      'h265.m3u8',
      [
        ...FAST,
        ...VOD,
        '-c:v',
        'libx265',
        '-preset',
        'ultrafast',
        '-x265-params',
        'log-level=error:bframes=2:pools=1',
        '-tag:v',
        'hvc1',
        '-hls_segment_type',
        'fmp4',
      ],
    ],
  ])('%s gives the same packets as ffprobe', async (name, options) => {
    folder.make(name, [...options, '-hls_fmp4_init_filename', `${name}.mp4`]);
    const sink = await play(name);
    expect(sink.problems).toEqual([]);
    expect(sink.announcements).toHaveLength(1);
    expect(sink.announcements[0]).toMatchObject([
      { id: 'v1', width: 160, height: 90 },
      { id: 'a1', sampleRate: 48_000 },
    ]);
    expectTimes(times(sink, 'v1'), folder.probe(name, 'v'));
    expectTimes(times(sink, 'a1'), folder.probe(name, 'a'));
    expectRising(sink);
    expect(sink.bytes).toBeGreaterThan(50_000);
  });

  it('is decrypted with AES-128, with an explicit IV or an IV by sequence number, and loads each key once', async () => {
    const key = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
    writeFileSync(join(folder.path, 'one.key'), key);
    for (const [name, iv] of [
      ['aes.m3u8', ''],
      ['aes-iv.m3u8', '0123456789abcdef0123456789abcdef'],
    ] as const) {
      writeFileSync(join(folder.path, 'key.txt'), `one.key\none.key\n${iv}`);
      folder.make(name, [...FAST, ...VOD, '-hls_key_info_file', 'key.txt']);
      const sink = await play(name);
      expect(sink.problems).toEqual([]);
      expectTimes(times(sink, 'v1'), folder.probe(name, 'v'));
      expect(folder.requests.filter((path) => path === '/one.key')).toHaveLength(1);
      await folder.reset();
    }
  });

  it.each([
    ['in MPEG-TS', 'mpegts'],
    ['in fragmented MP4', 'fmp4'],
  ])('with separate audio %s has one common clock', async (_what, type) => {
    const maps = [
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-var_stream_map',
      'v:0,agroup:snd a:0,agroup:snd,language:deu,default:yes',
      '-master_pl_name',
      `${type}.m3u8`,
    ];
    folder.make(`${type}-%v.m3u8`, [
      ...FAST,
      ...VOD,
      '-hls_segment_type',
      type,
      '-hls_fmp4_init_filename',
      `${type}-init-%v.mp4`,
      ...maps,
    ]);
    const sink = await play(`${type}.m3u8`);
    expect(sink.problems).toEqual([]);
    expect(sink.announcements).toMatchObject([
      [
        { id: 'v1', codec: 'h264' },
        { id: 'a1', codec: 'aac', language: 'deu' },
      ],
    ]);
    expectTimes(times(sink, 'v1'), folder.probe(`${type}-0.m3u8`, 'v'));
    // Audio before the first picture is dropped.
    const sound = folder
      .probe(joinedSegments(`${type}-1.m3u8`), 'a')
      .filter(({ dts }) => dts >= (times(sink, 'v1')[0]?.dts ?? 0));
    expectTimes(times(sink, 'a1'), sound);
    expectRising(sink);
  });

  it('with packed audio takes the audio time from the ID3 tag', async () => {
    folder.make('picture.m3u8', [...FAST, ...VOD, '-an']);
    const frames = sineAdts(6);
    const half = frames.length / 2;
    const parts = [frames.slice(0, half), frames.slice(half)];
    const start = 133_200;
    const samplesBefore = half * 1024;
    writeFileSync(join(folder.path, 'p0.aac'), Buffer.concat([id3(start), ...parts[0]!]));
    writeFileSync(
      join(folder.path, 'p1.aac'),
      Buffer.concat([id3(start + Math.round((samplesBefore * 90) / 48)), ...parts[1]!]),
    );
    writeFileSync(
      join(folder.path, 'packed.m3u8'),
      '#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\np0.aac\n#EXTINF:3,\np1.aac\n#EXT-X-ENDLIST\n',
    );
    const media = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x",DEFAULT=YES,URI="packed.m3u8"';
    writeFileSync(
      join(folder.path, 'joined.m3u8'),
      `#EXTM3U\n${media}\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.64000b,mp4a.40.2",AUDIO="a"\npicture.m3u8\n`,
    );
    const sink = await play('joined.m3u8');
    expect(sink.problems).toEqual([]);
    const first = times(sink, 'v1')[0]?.dts ?? 0;
    const expected = frames
      .map((_, index) => Math.round((start * 48 + index * 1024 * 90) / 48))
      .filter((ticks) => ticks >= first);
    expectTimes(
      times(sink, 'a1'),
      expected.map((ticks) => ({ dts: ticks, pts: ticks })),
    );
  });

  it('is repeated with loop=true, with continuous timestamps', async () => {
    folder.make('loop.m3u8', [...FAST, ...VOD], 2);
    const sink = new RecordingInput();
    folder.open(`${await folder.serve()}/loop.m3u8`, sink, { loop: 'true' });
    const pass = folder.probe('loop.m3u8', 'v').length;
    await sink.until(() => sink.units('v1').length > 2 * pass);
    const video = times(sink, 'v1');
    const steps = video.slice(1, 2 * pass).map(({ dts }, index) => dts - video[index]!.dts);
    // The audio is longer by less than two frames, and continues without a gap.
    expect(steps.every((step) => step >= 3600 && step < 3600 + 2 * 1920)).toBe(true);
    const sound = times(sink, 'a1');
    expect(
      Math.max(...sound.slice(1).map(({ dts }, index) => Math.abs(dts - sound[index]!.dts - 1920))),
    ).toBeLessThanOrEqual(1);
    expect(sink.announcements).toHaveLength(1);
    expect(sink.ends).toEqual([]);
  });
});

describe('discontinuities of an HLS recording', () => {
  it('keep the times continuous, and start the video at a random access point', async () => {
    folder.make('first.m3u8', [...FAST, ...VOD], 4);
    folder.make('second.m3u8', [...FAST, ...VOD, '-output_ts_offset', '5000'], 4);
    const [first, second] = ['first.m3u8', 'second.m3u8'].map((name) => folder.file(name).toString());
    const segments = (text: string | undefined): string =>
      (text ?? '')
        .split('\n')
        .filter((line) => line.startsWith('#EXTINF') || !line.startsWith('#'))
        .join('\n');
    writeFileSync(
      join(folder.path, 'both.m3u8'),
      `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${segments(first)}#EXT-X-DISCONTINUITY\n${segments(second)}#EXT-X-ENDLIST\n`,
    );
    const sink = await play('both.m3u8');
    expect(sink.problems).toEqual([]);
    const [one, two] = [folder.probe('first.m3u8', 'v'), folder.probe('second.m3u8', 'v')];
    const oneSound = folder.probe('first.m3u8', 'a');
    const video = times(sink, 'v1');
    expectTimes(video.slice(0, one.length), one);
    const twoSound = folder.probe('second.m3u8', 'a');
    const shift = Math.max(one.at(-1)!.dts + 3600 - two[0]!.dts, oneSound.at(-1)!.dts + 1920 - twoSound[0]!.dts);
    expectTimes(video.slice(one.length), two, shift);
    expect(sink.units('v1')[one.length]?.isRandomAccess).toBe(true);
    // Audio and video keep their offset after the discontinuity.
    expectTimes(times(sink, 'a1').slice(oneSound.length), twoSound, shift);
  });

  it('announce a new format with its first unit', async () => {
    folder.make('small.m3u8', [...FAST, ...VOD], 2);
    folder.make('large.m3u8', [...FAST, ...VOD, '-s', '320x180'], 2);
    writeFileSync(
      join(folder.path, 'sizes.m3u8'),
      '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nsmall0.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\nlarge0.ts\n#EXT-X-ENDLIST\n',
    );
    const sink = await play('sizes.m3u8');
    expect(
      sink.announcements.map((tracks) =>
        tracks.map((track) => (track.content === 'video' ? track.width : track.codec)),
      ),
    ).toEqual([
      [160, 'aac'],
      [320, 'aac'],
    ]);
    const at = sink.calls.findIndex((call) => 'tracks' in call && call !== sink.calls[0]);
    const before = sink.calls
      .slice(0, at)
      .flatMap((call) => ('unit' in call && call.unit.trackId === 'v1' ? [call.unit] : []));
    expect(before).toHaveLength(50);
    for (const track of ['v1', 'a1'])
      expect(times(sink, track)).toEqual(times(sink, track).toSorted((a, b) => a.dts - b.dts));
  });

  it('are detected by the times if the playlist does not declare them', async () => {
    folder.make('early.m3u8', [...FAST, ...VOD], 2);
    folder.make('late.m3u8', [...FAST, ...VOD, '-output_ts_offset', '900'], 2);
    writeFileSync(
      join(folder.path, 'jump.m3u8'),
      '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nlate0.ts\n#EXTINF:2,\nearly0.ts\n#EXT-X-ENDLIST\n',
    );
    const sink = await play('jump.m3u8');
    expect(sink.codes).toContain('timestamps_jumped');
    expect(sink.units('v1')).toHaveLength(100);
    const video = times(sink, 'v1');
    const steps = video.slice(1).map(({ dts }, index) => dts - video[index]!.dts);
    expect(Math.max(...steps)).toBeLessThan(3600 + 2 * 1920);
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(3600);
  });
});

describe('an HLS variant that cannot be loaded', () => {
  const stream = (bandwidth: number, uri: string, more = ''): string =>
    `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth}${more}\n${uri}\n`;
  const audio = (uri: string, more = ''): string =>
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="${uri}",URI="${uri}"${more}\n`;

  it('is replaced by the next variant, or by the next audio rendition', async () => {
    folder.make('next.m3u8', [...FAST, ...VOD]);
    folder.make('sound.m3u8', [...VOD, '-map', '1:a', '-c:a', 'aac']);
    const variants = stream(9, 'gone.m3u8') + stream(5, 'bad.m3u8') + stream(1, 'next.m3u8') + stream(7, 'gone.m3u8');
    writeFileSync(join(folder.path, 'bad.m3u8'), '<html>');
    writeFileSync(join(folder.path, 'ladder.m3u8'), `#EXTM3U\n${variants}`);
    const sink = await play('ladder.m3u8');
    expect(sink.codes).toEqual(['input_refused', 'hls_bad_playlist']);
    expect(sink.units('v1')).toHaveLength(150);
    const group = audio('gone.m3u8', ',DEFAULT=YES') + audio('sound.m3u8');
    writeFileSync(
      join(folder.path, 'group.m3u8'),
      `#EXTM3U\n${group}${stream(1, 'next.m3u8', ',AUDIO="s"')}${stream(2, 'bad.m3u8', ',AUDIO="s"')}`,
    );
    const other = await play('group.m3u8');
    expect(other.codes).toEqual(['hls_bad_playlist', 'input_refused']);
    expect(other.units('v1')).toHaveLength(150);
    expect(other.units('a1').length).toBeGreaterThan(250);
  });

  it('ends the input with a reason if there is no other variant', async () => {
    writeFileSync(join(folder.path, 'none.m3u8'), `#EXTM3U\n${stream(9, 'gone.m3u8')}${stream(1, 'gone-too.m3u8')}`);
    const sink = new RecordingInput();
    folder.open(`${await folder.serve()}/none.m3u8`, sink, {});
    expect((await sink.end()).code).toBe('input_refused');
  });
});

/**
 * Segments of a transport stream as one file. With a playlist, ffprobe would count the first frame of separate audio
 * twice. The name of a fragmented MP4 playlist is returned unchanged.
 */
function joinedSegments(name: string): string {
  const segments = folder
    .file(name)
    .toString()
    .split('\n')
    .filter((line) => line.endsWith('.ts'));
  return segments.length === 0 ? name : `concat:${segments.join('|')}`;
}

/** An even number of ADTS frames of a tone. */
function sineAdts(seconds: number): Buffer[] {
  folder.make('tone.m3u8', [...VOD, '-map', '1:a', '-c:a', 'aac', '-hls_time', '100'], seconds);
  const frames: Buffer[] = [];
  let bytes = folder.demux('tone0.ts');
  while (bytes.length > 7) {
    const length = ((bytes[3]! & 3) << 11) | (bytes[4]! << 3) | (bytes[5]! >> 5);
    frames.push(bytes.subarray(0, length));
    bytes = bytes.subarray(length);
  }
  return frames.length % 2 === 0 ? frames : frames.slice(1);
}

function id3(ticks: number): Buffer {
  const owner = Buffer.from('com.apple.streaming.transportStreamTimestamp\0');
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(ticks));
  const frame = Buffer.concat([Buffer.from('PRIV'), Buffer.from([0, 0, 0, owner.length + 8, 0, 0]), owner, time]);
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, 0, 0, 0, frame.length]), frame]);
}
