import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClipFiles } from '../../tests/helpers/clip-files.ts';
import { decodeAll, outputsOf } from '../../tests/helpers/decoded-outputs.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { joinedMp4 } from '../../tests/helpers/joined-mp4.ts';
import { OpenFiles } from './thread/open-files.ts';

const clips = new ClipFiles();
const CODECS = [
  { codec: 'H.264', args: ['-c:v', 'libx264', '-x264-params'], entries: ['cabac=1', 'cabac=0'] },
  {
    codec: 'H.265',
    args: ['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params'],
    entries: ['cbqpoffs=0', 'cbqpoffs=4'],
  },
] as const;
const GOP = 'keyint=25:min-keyint=25:scenecut=0:bframes=2:b-adapt=0';
let files: OpenFiles;

beforeAll(() => {
  files = new OpenFiles({ clock: new FakeClock() });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 2000 }]);
});

afterAll(async () => {
  await files.close();
  clips.close();
});

describe.each([
  {
    what: 'sizes',
    content: 'video',
    args: ['160x90', '320x180'].map((size) => ['-an', '-c:v', 'libx264', '-s', size]),
  },
  {
    what: 'numbers of channels',
    content: 'audio',
    args: ['1', '2'].map((count) => ['-vn', '-c:a', 'aac', '-ac', count]),
  },
  {
    what: 'sample rates',
    content: 'audio',
    args: ['48000', '44100'].map((rate) => ['-vn', '-c:a', 'aac', '-ar', rate]),
  },
] as const)('an MP4 file with sample descriptions of different $what', ({ what, content, args }) => {
  const parts = args.map((muxer, index) =>
    readFileSync(clips.add(`${what}-${index}.mp4`, { seconds: 4, muxer: [...muxer, '-use_editlist', '0'] })),
  );

  it.each([
    { form: 'chunks', isFragmented: false },
    { form: 'fragments', isFragmented: true },
  ])('has an init segment for each format: $form', async ({ form, isFragmented }) => {
    const name = `${what}-${form}.mp4`;
    writeFileSync(clips.path(name), joinedMp4(parts, [0, 1, 0], isFragmented));
    const found = await files.open(`clips/${name}`);
    if ('code' in found) throw new Error(found.detail);
    const fragments = (await outputsOf(found.window)).filter((one) => one.name.startsWith('fMP4'));
    expect(fragments).toHaveLength(3);
    const plain = parts.map((bytes) => ({ name: 'part', format: 'mp4' as const, bytes }));
    const decoded = decodeAll([...plain, ...fragments]);
    const digests = decoded.files.map((file) => file[content].digests);
    expect(decoded.complaints).toBe('');
    expect(digests.slice(2)).toEqual([digests[0], digests[1], digests[0]]);
    const { track } = found.window.tracks[0] ?? expect.fail('no track');
    const breaks = found.window.segments(track.id).filter(({ isDiscontinuity }) => isDiscontinuity);
    expect(breaks).toHaveLength(2);
  });
});

describe.each(CODECS)('an MP4 file with two sample descriptions of $codec', ({ codec, args, entries }) => {
  const parts = entries.map((entry, index) =>
    readFileSync(clips.add(`${codec}-${index}.mp4`, { seconds: 4, muxer: [...args, `${GOP}:${entry}`, '-an'] })),
  );

  it.each([
    { form: 'chunks', isFragmented: false },
    { form: 'fragments', isFragmented: true },
  ])('is decoded with the sample description of each picture: $form', async ({ form, isFragmented }) => {
    const name = `${codec}-${form}.mp4`;
    writeFileSync(clips.path(name), joinedMp4(parts, [0, 1, 0], isFragmented));
    const found = await files.open(`clips/${name}`);
    if ('code' in found) throw new Error(found.detail);
    const outputs = await outputsOf(found.window);
    const plain = parts.map((bytes) => ({ name: 'part', format: 'mp4' as const, bytes }));
    const decoded = decodeAll([...plain, ...outputs]);
    const [first = [], second = []] = decoded.files.map(({ video }) => video.digests);
    expect(decoded.complaints).toBe('');
    for (const [index, { name: output }] of outputs.entries())
      expect([output, decoded.files[index + 2]?.video.digests]).toEqual([output, [...first, ...second, ...first]]);
  });

  it('starts with the sample description of its first picture', async () => {
    writeFileSync(clips.path(`${codec}-second.mp4`), joinedMp4(parts, [1], false));
    const found = await files.open(`clips/${codec}-second.mp4`);
    if ('code' in found) throw new Error(found.detail);
    const outputs = await outputsOf(found.window);
    const decoded = decodeAll([{ name: 'part', format: 'mp4', bytes: parts[1]! }, ...outputs]);
    const [plain, ...others] = decoded.files.map(({ video }) => video.digests);
    for (const digests of others) expect(digests).toEqual(plain);
  });
});
