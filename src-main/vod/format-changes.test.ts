import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClipFiles } from '../../tests/helpers/clip-files.ts';
import { decodeAll, outputsOf, type NamedBytes } from '../../tests/helpers/decoded-outputs.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { renderMpd } from '../packaging/dash/mpd.ts';
import { renderMediaPlaylist } from '../packaging/hls/media-playlist.ts';
import { OpenFiles } from './thread/open-files.ts';
import type { FileWindow } from './window/file-window.ts';

const clips = new ClipFiles();
const X264 = ['-c:v', 'libx264', '-g', '25', '-bf', '2'];
let files: OpenFiles;

beforeAll(() => {
  files = new OpenFiles({ clock: new FakeClock() });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 2000 }]);
});

afterAll(async () => {
  await files.close();
  clips.close();
});

async function windowOf(name: string): Promise<FileWindow> {
  const found = await files.open(`clips/${name}`);
  if ('code' in found) throw new Error(found.detail);
  return found.window;
}

function part(name: string, seconds: number, muxer: readonly string[]): NamedBytes {
  return { name, format: 'ts', bytes: readFileSync(clips.add(name, { seconds, muxer })) };
}

function breaksOf(window: FileWindow, trackId: string): number[] {
  return window.segments(trackId).flatMap(({ msn, isDiscontinuity }) => (isDiscontinuity ? [msn] : []));
}

/** Number of frames, and the first index that differs, so that a failure message is short. */
function differenceOf(given: readonly string[] = [], found: readonly string[] = []): unknown {
  const at = given.findIndex((digest, index) => digest !== found[index]);
  return { given: given.length, found: found.length, firstDifference: at };
}

function sameAs(given: readonly string[] = []): unknown {
  return { given: given.length, found: given.length, firstDifference: -1 };
}

/** Digests of the audio or pictures of a track over all of its init segments. */
function digestsOf(
  outputs: readonly NamedBytes[],
  decoded: ReturnType<typeof decodeAll>,
  prefix: string,
  content: 'video' | 'audio',
): string[] {
  return outputs.flatMap(({ name }, index) =>
    name.startsWith(prefix) ? (decoded.files[index]?.[content].digests ?? []) : [],
  );
}

describe('a transport stream whose video changes its size', () => {
  const parts = [part('large.ts', 5, X264), part('small.ts', 4, [...X264, '-s', '320x180']), part('last.ts', 3, X264)];

  beforeAll(() => {
    writeFileSync(clips.path('sizes.ts'), Buffer.concat(parts.map(({ bytes }) => bytes)));
  });

  it('plays all sizes, with a discontinuity in all tracks at each change', async () => {
    const window = await windowOf('sizes.ts');
    const outputs = await outputsOf(window);
    const decoded = decodeAll([...outputs, ...parts]);
    const given = decoded.files.slice(outputs.length).flatMap(({ video }) => video.digests);
    expect(given).toHaveLength(300);
    for (const form of ['fMP4 v1', 'TS', 'MP4'])
      expect([form, differenceOf(given, digestsOf(outputs, decoded, form, 'video'))]).toEqual([form, sameAs(given)]);
    const breaks = breaksOf(window, 'v1');
    expect(breaks).toHaveLength(2);
    expect(breaksOf(window, 'a1')).toEqual(breaks);
    expect(window.segments('v1').at(-1)?.discontinuitySequence).toBe(2);
    const playlist = renderMediaPlaylist(window, { trackId: 'v1' });
    expect(playlist?.match(/#EXT-X-DISCONTINUITY\n#EXT-X-MAP/g)).toHaveLength(2);
  });

  it('plays pictures with the same timestamps as earlier pictures', async () => {
    const overlapping = part('overlap.ts', 4, [...X264, '-s', '320x180', '-output_ts_offset', '4.96']);
    const given = [parts[0]!, overlapping];
    writeFileSync(clips.path('overlapping.ts'), Buffer.concat(given.map(({ bytes }) => bytes)));
    const outputs = await outputsOf(await windowOf('overlapping.ts'));
    const decoded = decodeAll([...outputs, ...given]);
    const expected = decoded.files.slice(outputs.length).flatMap(({ video }) => video.digests);
    expect(differenceOf(expected, digestsOf(outputs, decoded, 'fMP4 v1', 'video'))).toEqual(sameAs(expected));
  });

  it('has a DASH Period for each size', async () => {
    const mpd = renderMpd(await windowOf('sizes.ts'), { nowMs: 0 }) ?? '';
    expect([...mpd.matchAll(/ width="(\d+)"/g)].map(([, width]) => width)).toEqual(['160', '320', '160']);
  });
});

describe.each([
  { change: 'its channels', args: ['-ac', '2'], isSameDecoder: true },
  { change: 'its sample rate', args: ['-ar', '44100'], isSameDecoder: false },
])('a transport stream whose audio changes $change', ({ args, isSameDecoder }) => {
  const [before, after] = [[], args].map((more, index) =>
    readFileSync(clips.add(`${args.join('')}-${index}.aac`, { seconds: 5, muxer: ['-vn', '-c:a', 'aac', ...more] })),
  ) as [Buffer, Buffer];
  const name = `sound${args.join('')}.ts`;

  beforeAll(() => {
    const sound = clips.path(`joined${args.join('')}.aac`);
    const picture = clips.add('picture.ts', { seconds: 10, muxer: [...X264, '-g', '125', '-an'] });
    writeFileSync(sound, Buffer.concat([before, after]));
    const inputs = ['-i', picture, '-i', sound];
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', ...inputs, '-c', 'copy', '-y', clips.path(name)]);
  });

  it('plays both formats, and the video continues', async () => {
    const window = await windowOf(name);
    const outputs = await outputsOf(window);
    const given = [before, after].map((bytes, index): NamedBytes => ({ name: `${index}`, format: 'aac', bytes }));
    const source: NamedBytes = { name: 'source', format: 'ts', bytes: readFileSync(clips.path(name)) };
    const decoded = decodeAll([...outputs, ...given, source]);
    const all = decoded.files.slice(outputs.length);
    const sounds = all.slice(0, 2).flatMap(({ audio }) => audio.digests);
    const expected = [
      ['fMP4 v1', 'video', all[2]?.video.digests],
      ['fMP4 a1', 'audio', sounds],
      ['TS', 'video', all[2]?.video.digests],
      ['TS', 'audio', all[2]?.audio.digests],
      ['MP4', 'video', all[2]?.video.digests],
    ] as const;
    for (const [form, content, digests] of expected) {
      const found = digestsOf(outputs, decoded, form, content);
      expect([form, content, differenceOf(digests, found)]).toEqual([form, content, sameAs(digests)]);
    }
    expect(breaksOf(window, 'v1')).toEqual([]);
    // `index.mp4` has a sample description for each format, or another track if the decoder must change.
    const file = outputs.find((output) => output.name === 'MP4') ?? expect.fail('no file');
    writeFileSync(clips.path(`again-${name}.mp4`), file.bytes);
    const again = await outputsOf(await windowOf(`again-${name}.mp4`));
    const decodedAgain = decodeAll(again);
    const soundsAgain = ['fMP4 a1', 'fMP4 a2'].flatMap((form) => digestsOf(again, decodedAgain, form, 'audio'));
    expect(differenceOf(sounds, soundsAgain)).toEqual(sameAs(sounds));
    expect(digestsOf(again, decodedAgain, 'fMP4 a2', 'audio').length === 0).toBe(isSameDecoder);
    expect(renderMediaPlaylist(window, { trackId: 'a1' })?.match(/#EXT-X-MAP/g)).toHaveLength(2);
  });
});

describe('a transport stream whose audio changes its codec on the same PID', () => {
  const parts = ['aac', 'ac3', 'aac', 'eac3'].map((codec, index) =>
    part(`${index}-${codec}.ts`, 5, [...X264, '-c:a', codec, '-output_ts_offset', `${5.1 * index}`]),
  );
  let window: FileWindow;

  beforeAll(async () => {
    writeFileSync(clips.path('codecs.ts'), Buffer.concat(parts.map(({ bytes }) => bytes)));
    window = await windowOf('codecs.ts');
  });

  it('plays all codecs in each output format', async () => {
    const outputs = await outputsOf(window);
    const source: NamedBytes = { name: 'source', format: 'ts', bytes: readFileSync(clips.path('codecs.ts')) };
    const decoded = decodeAll([...outputs, ...parts, source]);
    const given = decoded.files.slice(outputs.length);
    const sounds = given.slice(0, parts.length).flatMap(({ audio }) => audio.digests);
    const pictures = given.at(-1)?.video.digests ?? [];
    expect(pictures.length).toBeGreaterThan(490);
    const found = digestsOf(outputs, decoded, 'fMP4 a1', 'audio');
    expect(differenceOf(sounds, found)).toEqual(sameAs(sounds));
    for (const form of ['fMP4 v1', 'TS', 'MP4'])
      expect([form, differenceOf(pictures, digestsOf(outputs, decoded, form, 'video'))]).toEqual([
        form,
        sameAs(pictures),
      ]);
    expect(renderMediaPlaylist(window, { trackId: 'a1' })?.match(/#EXT-X-MAP/g)).toHaveLength(4);
    const ts = outputs.find(({ name }) => name === 'TS')?.bytes ?? expect.fail('no file');
    writeFileSync(clips.path('again.ts'), ts);
    const again = await outputsOf(await windowOf('again.ts'));
    expect(differenceOf(sounds, digestsOf(again, decodeAll(again), 'fMP4 a1', 'audio'))).toEqual(sameAs(sounds));
    const mp4 = outputs.find(({ name }) => name === 'MP4')?.bytes ?? expect.fail('no file');
    writeFileSync(clips.path('again.mp4'), mp4);
    // The file has a track for each codec. FFmpeg does not detect the format of a track that starts late in a transport
    // stream.
    const tracks = (await outputsOf(await windowOf('again.mp4'))).filter(({ name }) => name.startsWith('fMP4'));
    const inTracks = ['a1', 'a2', 'a3'].map((id) => digestsOf(tracks, decodeAll(tracks), `fMP4 ${id}`, 'audio'));
    const [aac = [], ac3 = [], aacAgain = [], eac3 = []] = given.map(({ audio }) => audio.digests);
    expect(inTracks.slice(1)).toEqual([ac3, eac3]);
    // Noise substituted by the decoder depends on earlier frames.
    expect([inTracks[0]?.slice(0, aac.length), inTracks[0]?.length]).toEqual([aac, aac.length + aacAgain.length]);
  });
});
