import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  bytesOfMemory,
  ClipFolder,
  H264,
  H265,
  CollectingSink,
  probeClip,
} from '../../../tests/helpers/clip-folder.ts';
import { joinedMp4 } from '../../../tests/helpers/joined-mp4.ts';
import { withoutSets } from '../../../tests/helpers/without-sets.ts';
import { openMovie } from '../../media/containers/isobmff/movie-file.ts';
import { Mp4Pass } from './mp4-pass.ts';

const folder = new ClipFolder();
afterAll(() => {
  folder.close();
});

async function play(bytes: Uint8Array): Promise<CollectingSink> {
  const sink = new CollectingSink();
  const file = bytesOfMemory(bytes);
  const movie = await openMovie(file);
  if (typeof movie === 'string') throw new Error(movie);
  const pass = new Mp4Pass(file, movie, sink, () => undefined);
  while (await pass.step());
  return sink;
}

/**
 * For negative composition offsets, ffprobe shifts the video a frame later to keep decoding before presentation, and so
 * away from the audio. The presentation times are as the file intends.
 */
const NEGATIVE_OFFSETS = 'cmaf.mp4';
const FRAME_TICKS = 3600;

interface Line {
  readonly track: number;
  readonly dts: number;
  readonly pts: number;
  readonly size: number;
  readonly isSync: boolean;
}

/** Packets listed by ffprobe, in 90 kHz ticks, shifted so that no time is negative. */
function probedLines(path: string): Line[] {
  const { packets, timescales, streams } = probeClip(path);
  const lines = packets.map((packet) => {
    const timescale = timescales[packet.stream_index] ?? NaN;
    const moved =
      path.endsWith(NEGATIVE_OFFSETS) && streams[packet.stream_index]?.['codec_type'] === 'video' ? -FRAME_TICKS : 0;
    return {
      track: packet.stream_index,
      dts: Math.round((packet.dts * 90_000) / timescale) + moved,
      pts: Math.round((packet.pts * 90_000) / timescale) + moved,
      size: Number(packet.size),
      isSync: packet.flags.startsWith('K'),
    };
  });
  const bias = Math.max(0, -Math.min(...lines.map((line) => line.dts)));
  return lines.map((line) => ({ ...line, dts: line.dts + bias, pts: line.pts + bias }));
}

const AAC = ['-c:a', 'aac', '-ac', '2'];
const clips: readonly (readonly [name: string, options: readonly string[]])[] = [
  ['progressive.mp4', [...H264, ...AAC]],
  ['faststart.mp4', [...H264, ...AAC, '-movflags', '+faststart']],
  ['fragmented.mp4', [...H264, ...AAC, '-movflags', '+frag_keyframe+empty_moov+default_base_moof']],
  ['fragments-after-moov.mp4', [...H264, ...AAC, '-movflags', '+frag_keyframe']],
  [
    'fragment-per-track.mp4',
    [...H264, ...AAC, '-movflags', '+frag_keyframe+empty_moov+separate_moof+omit_tfhd_offset'],
  ],
  ['cmaf.mp4', [...H264, ...AAC, '-movflags', '+cmaf+frag_keyframe+negative_cts_offsets']],
  ['delayed-video.mp4', [...H264, ...AAC, '-filter:v', 'setpts=PTS+0.5/TB']],
  ['no-edit-list.mp4', [...H264, ...AAC, '-use_editlist', '0']],
  ['quicktime.mov', [...H264, ...AAC]],
  ['h265.mp4', [...H265, ...AAC]],
  ['ac3.mp4', [...H264, '-c:a', 'ac3']],
  ['eac3.mp4', [...H264, '-c:a', 'eac3']],
  ['opus.mp4', [...H264, '-c:a', 'libopus', '-frame_duration', '60']],
  ['mp3.mp4', [...H264, '-c:a', 'libmp3lame']],
  ['mp3-low-rate.mp4', [...H264, '-c:a', 'libmp3lame', '-ar', '22050']],
  ['anamorphic.mp4', [...H264, '-vf', 'setsar=16/11', '-an']],
  ['audio-only.mp4', ['-vn', ...AAC]],
];

describe('MP4 pass', () => {
  it.each(clips)('gives the same packets as ffprobe for %s', async (name, options) => {
    const path = folder.make(name, options, 3);
    const sink = await play(readFileSync(path));
    const expected = probedLines(path);
    const tracks = sink.trackSets[0] ?? [];
    expect(sink.problems).toEqual([]);
    expect(sink.trackSets).toHaveLength(1);
    for (const [index, track] of tracks.entries()) {
      const lines = sink.units
        .filter((unit) => unit.trackId === track.id)
        .map((unit) => ({
          track: index,
          dts: unit.dtsTicks,
          pts: unit.ptsTicks,
          size: unit.data.length,
          isSync: unit.isRandomAccess,
        }));
      expect(lines).toEqual(expected.filter((line) => line.track === index));
    }
    const times = sink.units.map((unit) => unit.dtsTicks);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.length).toBe(expected.length);
  });

  it.each([
    ['tables', [], [...H264, '-x264-params', 'repeat-headers=1']],
    ['fragments', ['-movflags', '+frag_keyframe+empty_moov'], [...H264, '-x264-params', 'repeat-headers=1']],
    ['H.265', ['-tag:v', 'hvc1'], [...H265, '-x265-params', 'log-level=error:repeat-headers=1:pools=1']],
  ])('finds parameter sets in the samples (%s)', async (name, container, options) => {
    const file = readFileSync(folder.make(`sets-${name}.mp4`, [...options, ...AAC, ...container]));
    const [right, sink] = [await play(file), await play(withoutSets(file))];
    expect(sink).toEqual(right);
    expect(sink.problems).toEqual([]);
    expect(sink.units.filter(({ trackId }) => trackId === 'v1')).toHaveLength(50);
  });

  it.each([
    ['chunks', false],
    ['fragments', true],
  ])('decodes each picture with its own sample description (%s)', async (_, isFragmented) => {
    const parts = [160, 128, 160].map((width, index) =>
      readFileSync(folder.make(`described-${index}.mp4`, [...H264, '-s', `${width}x90`, '-an'])),
    );
    const sink = await play(joinedMp4(parts, [0, 1, 0], isFragmented));
    const widthAt = sink.trackSets.map(([track]) => track?.content === 'video' && track.width);
    expect(widthAt).toEqual([160, 128, 160]);
    expect(sink.units).toHaveLength(150);
    expect(sink.problems).toEqual([]);
  });

  it.each([
    ['chunks', false],
    ['fragments', true],
  ])('takes the aspect ratio from the sample description if the pictures have none (%s)', async (_, isFragmented) => {
    const parts = [160, 128].map((width, index) => {
      const file = readFileSync(
        folder.make(`aspect-${index}.mp4`, [...H264, '-vf', `scale=${width}:90,setsar=1`, '-an']),
      );
      const aspect = Buffer.from([0, 0, 0, 16, 0, 0, 0, 11 + 2 * index]);
      aspect.copy(file, file.indexOf('pasp') + 4);
      return file;
    });
    const sink = await play(joinedMp4(parts, [0, 1, 0], isFragmented));
    const aspects = sink.trackSets.map(([track]) => track?.content === 'video' && [track.sarWidth, track.sarHeight]);
    expect(aspects).toEqual([
      [16, 11],
      [16, 13],
      [16, 11],
    ]);
  });

  it.each([
    ['chunks', false],
    ['fragments', true],
  ])('announces the audio format of each sample description (%s)', async (_, isFragmented) => {
    const parts = ['2', '1'].map((channels) =>
      readFileSync(folder.make(`channels-${channels}.mp4`, ['-vn', '-c:a', 'aac', '-ac', channels])),
    );
    const sink = await play(joinedMp4(parts, [0, 1, 0], isFragmented));
    expect(sink.trackSets.map(([track]) => track?.content === 'audio' && track.channels)).toEqual([2, 1, 2]);
    expect(sink.problems).toEqual([]);
  });

  it('reports codec_bad_config if no sample has the parameter sets', async () => {
    const sets = ['-bsf:v', 'filter_units=remove_types=7-8'];
    const file = readFileSync(folder.make('no-sets.mp4', [...H264, ...AAC, ...sets]));
    const movie = await openMovie(bytesOfMemory(withoutSets(file)));
    expect(movie).toMatchObject({ tracks: [{ track: { id: 'a1' } }], problems: [{ code: 'codec_bad_config' }] });
  });

  it('reads the format of every track', async () => {
    const path = folder.make('format.mp4', [...H264, ...AAC, '-metadata:s:a:0', 'language=deu', '-vf', 'setsar=16/11']);
    const sink = await play(readFileSync(path));
    expect(sink.trackSets[0]).toMatchObject([
      {
        id: 'v1',
        codec: 'h264',
        width: 160,
        height: 90,
        sarWidth: 16,
        sarHeight: 11,
        fps: 25,
        profile: 'High',
        sourceId: 1,
      },
      {
        id: 'a1',
        codec: 'aac',
        sampleRate: 48_000,
        channels: 2,
        samplesPerFrame: 1024,
        language: 'deu',
        codecString: 'mp4a.40.2',
      },
    ]);
  });

  it('reads the frame duration of Opus and the layer of MPEG audio', async () => {
    const opus = await play(
      readFileSync(folder.make('opus-60.mp4', ['-vn', '-c:a', 'libopus', '-frame_duration', '60'])),
    );
    expect(opus.trackSets[0]).toMatchObject([{ codec: 'opus', samplesPerFrame: 2880 }]);
    const mp3 = await play(readFileSync(folder.make('mp3-22.mp4', ['-vn', '-c:a', 'libmp3lame', '-ar', '22050'])));
    expect(mp3.trackSets[0]).toMatchObject([
      { codec: 'mp3', samplesPerFrame: 576, sampleRate: 22_050, profile: 'MPEG-2 Layer III' },
    ]);
  });

  it('reports an unsupported codec', async () => {
    const path = folder.make('mjpeg.mp4', ['-c:v', 'mpeg4', ...AAC]);
    const movie = await openMovie(bytesOfMemory(readFileSync(path)));
    expect(movie).toMatchObject({ problems: [{ code: 'codec_unknown' }], tracks: [{ track: { id: 'a1' } }] });
  });

  it('reports a file without moov', async () => {
    const original = readFileSync(folder.make('whole.mp4', [...H264, ...AAC]));
    expect(await openMovie(bytesOfMemory(original.subarray(0, 3000)))).toMatch(/moov|box/);
    expect(await openMovie(bytesOfMemory(original.subarray(0, original.length - 20)))).toBe(
      'The file ends inside its moov box.',
    );
  });

  it.each(['progressive.mp4', 'fragmented.mp4'])('never reads outside a damaged %s', async (name) => {
    const good = readFileSync(`${folder.path}/${name}`);
    const moov = good.indexOf('moov');
    const damage = fc.array(fc.record({ at: fc.nat(2500), byte: fc.nat(255) }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(damage, fc.boolean(), async (changes, isMoov) => {
        const bytes = Buffer.from(good);
        const base = isMoov ? moov : Math.max(0, bytes.indexOf('moof'));
        for (const { at, byte } of changes) if (base + at < bytes.length) bytes[base + at] = byte;
        const sink = new CollectingSink();
        const file = bytesOfMemory(bytes);
        const movie = await openMovie(file);
        if (typeof movie === 'string') return;
        const pass = new Mp4Pass(file, movie, sink, () => undefined);
        let steps = 0;
        while (steps < 5000 && (await pass.step())) steps++;
        expect(sink.units.length).toBeLessThanOrEqual(5000);
      }),
      { numRuns: 150 },
    );
  });
});
