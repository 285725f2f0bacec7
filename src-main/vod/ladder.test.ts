import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClipFiles } from '../../tests/helpers/clip-files.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { readStrictMpd } from '../../tests/helpers/strict-mpd.ts';
import { renderMpd } from '../packaging/dash/mpd.ts';
import { renderMultivariant } from '../packaging/hls/multivariant-playlist.ts';
import { readMedia } from '../segment/media-bytes.ts';
import { OpenFiles, type OpenFile } from './thread/open-files.ts';
import { readSmil } from './smil.ts';

const SECONDS = 12;
const SMALL = ['-c:v', 'libx264', '-preset', 'ultrafast', '-threads', '1', '-s', '80x46'];
const clips = new ClipFiles();
const clock = new FakeClock();

beforeAll(() => {
  mkdirSync(clips.path('bunny/low'), { recursive: true });
  clips.add('bunny/bunny.low.ts', { seconds: SECONDS, muxer: [...SMALL, '-g', '50'] });
  clips.add('bunny/bunny.mp4', { seconds: SECONDS, muxer: ['-metadata:s:a:0', 'language=eng'] });
  // Key frames at different times.
  clips.add('bunny/low/odd.mkv', {
    seconds: SECONDS,
    muxer: [...SMALL, '-g', '30', '-metadata:s:a:0', 'language=fra'],
  });
  writeFileSync(clips.path('bunny/bunny.txt'), 'notes');
  writeFileSync(clips.path('bunny/bunny.broken.mp4'), 'these are no pictures');
  symlinkSync('/etc/hostname', clips.path('bunny/bunny.way-out.mp4'));
  writeFileSync(
    clips.path('bunny/all.smil'),
    `<?xml version="1.0"?><smil><body><switch>
      <video src="bunny.mp4" height="90" systemLanguage="eng" /><!-- <video src="gone.mp4"/> -->
      <video height="46" src='mp4:low/odd.mkv'><param name="videoBitrate" value="450000" /></video>
      <video src="../../etc/passwd" /><video src="bunny.mp4" /><video src=".hidden.mp4" />
    </switch></body></smil>`,
  );
  writeFileSync(clips.path('none.smil'), '<smil><body><video src="nothing.mp4"/></body></smil>');
});

afterAll(() => {
  clips.close();
});

async function withFiles(areFoldersLadders: boolean, test: (files: OpenFiles) => Promise<void>): Promise<void> {
  const files = new OpenFiles({ clock });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000, areFoldersLadders }]);
  await test(files);
  await files.close();
}

async function open(files: OpenFiles, name: string): Promise<OpenFile> {
  const found = await files.open(`clips/${name}`);
  if ('code' in found) throw new Error(found.detail);
  return found;
}

/** Tracks whose bytes can be read, and that are listed in a playlist and in an MPD with all renditions in one set. */
async function tracksOf({ window }: OpenFile): Promise<string[]> {
  const tracks = window.tracks.map(({ track }) => track);
  for (const { id } of tracks) {
    for (const { segment } of window.segments(id))
      for (const part of segment.parts) expect((await readMedia(part)).length).toBe(part.sizeBytes);
    expect(window.segments(id).map(({ segment }) => Math.round(segment.startMs / 1000 / 4))).toEqual([0, 1, 2]);
  }
  const videos = tracks.filter(({ content }) => content === 'video');
  const variants = (renderMultivariant(window) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('#EXT-X-STREAM-INF'));
  expect(variants).toHaveLength(videos.length);
  const { periods } = readStrictMpd(renderMpd(window, { nowMs: 0 }) ?? '');
  expect(periods).toHaveLength(1);
  return tracks.map((track) => `${track.id} ${track.content === 'video' ? track.width : (track.language ?? '')}`);
}

describe('several VOD files', () => {
  it('listed in a SMIL file are played as one file', async () => {
    await withFiles(false, async (files) => {
      const file = await open(files, 'bunny/all.smil');
      expect(await tracksOf(file)).toEqual(['v1 160', 'v2 80', 'a1 eng', 'a2 fra']);
      expect(Math.abs(file.window.durationMs - SECONDS * 1000)).toBeLessThan(200);
    });
  });

  it('that start with the name of their folder are played as one file if the location allows it', async () => {
    await withFiles(true, async (files) => {
      expect(await tracksOf(await open(files, 'bunny'))).toEqual(['v1 160', 'v2 80', 'a1 ', 'a2 eng']);
      expect(await files.open('clips/bunny/low')).toMatchObject({ code: 'vod_file_not_found' });
    });
    await withFiles(false, async (files) => {
      expect(await files.open('clips/bunny')).toMatchObject({ code: 'vod_file_not_found' });
    });
  });

  it('are refused with a code if none of them can be played', async () => {
    await withFiles(false, async (files) => {
      expect(await files.open('clips/none.smil')).toMatchObject({ code: 'vod_file_damaged' });
    });
  });
});

describe('readSmil', () => {
  it('lists files in order, each once', () => {
    expect(
      readSmil('<smil><video src="a &amp; b &#233;.mp4"/><VIDEO src="x"/><ref src=\'c\' /><video src="c"></smil>'),
    ).toEqual(['a & b é.mp4', 'c']);
  });

  it('reads any text without throwing', () => {
    const pieces = fc.constantFrom('<video src="a"/>', '<', '>', '<!--', '-->', 'src=', '"', '&#x110000;', '&#0;');
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (parts) => {
        readSmil(parts.join(''));
      }),
    );
  });
});
