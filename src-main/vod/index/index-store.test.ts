import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClipFiles } from '../../../tests/helpers/clip-files.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { until } from '../../../tests/helpers/until.ts';
import { readMedia } from '../../segment/media-bytes.ts';
import { OpenFiles, type OpenFile } from '../thread/open-files.ts';
import { IndexStore } from './index-store.ts';

const clips = new ClipFiles();
const clock = new FakeClock();
const FRAGMENTS = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof'];

beforeAll(() => {
  for (const name of ['film.ts', 'film.mkv', 'plain.mp4']) clips.add(name, { seconds: 20 });
  clips.add('fragments.mp4', { seconds: 20, muxer: FRAGMENTS });
});

const servers: OpenFiles[] = [];

afterAll(async () => {
  await Promise.all(servers.map(async (files) => files.close()));
  clips.close();
});

function folderOf(name: string): string {
  return clips.path(`.store-${name}`);
}

/** Opens a file in a newly started server. */
async function opened(name: string, folder: string): Promise<{ file: OpenFile; bytesIn: number }> {
  const files = new OpenFiles({ clock, storeFolder: folder });
  servers.push(files);
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000 }]);
  const file = await files.open(`clips/${name}`);
  if ('code' in file) throw new Error(file.detail);
  const bytesIn = file.files.reduce((sum, one) => sum + one.bytesIn, 0);
  return { file, bytesIn };
}

/** Waits until `count` indexes are on disk. */
async function storedIndexes(folder: string, count: number): Promise<string[]> {
  const names = (): string[] | undefined => {
    const paths = readdirSync(folder).map((name) => join(folder, name));
    return paths.length === count && paths.every((path) => path.endsWith('.index')) ? paths : undefined;
  };
  return until('indexes on disk', names, 30_000);
}

async function mediaOf({ window }: OpenFile): Promise<Buffer> {
  const parts = window.tracks.flatMap(({ track }) => window.segments(track.id)).flatMap(({ segment }) => segment.parts);
  return Buffer.concat(await Promise.all(parts.map(async (part) => readMedia(part))));
}

describe('indexes on disk', () => {
  it.each([
    ['film.ts', 2],
    ['film.mkv', 2],
    ['fragments.mp4', 2],
    ['plain.mp4', 1],
  ])('open %s after a restart without reading the complete file', async (name, count) => {
    const folder = folderOf(name);
    mkdirSync(folder);
    const first = await opened(name, folder);
    await storedIndexes(folder, count);
    const second = await opened(name, folder);
    if (count > 1) expect(second.bytesIn).toBe(0);
    expect(second.file.window.periods()).toEqual(first.file.window.periods());
    expect((await mediaOf(second.file)).equals(await mediaOf(first.file))).toBe(true);
  });

  it('are ignored if they are damaged or belong to another content', async () => {
    const folder = folderOf('damaged');
    mkdirSync(folder);
    copyFileSync(clips.path('film.ts'), clips.path('changing.ts'));
    const first = await opened('changing.ts', folder);
    const paths = await storedIndexes(folder, 2);
    for (const path of paths) {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    }
    const again = await opened('changing.ts', folder);
    expect(again.bytesIn).toBeGreaterThanOrEqual(statSync(clips.path('changing.ts')).size);
    expect((await mediaOf(again.file)).equals(await mediaOf(first.file))).toBe(true);
    // Bytes are not compared, because V8 serializes an integer in two ways, depending on its internal form.
    const isMade = async (): Promise<boolean> => (await opened('changing.ts', folder)).bytesIn === 0;
    await until('indexes that are created again', isMade, 30_000);
    for (const path of paths) writeFileSync(path, '');
    expect((await opened('changing.ts', folder)).bytesIn).toBeGreaterThan(0);
    utimesSync(clips.path('changing.ts'), 1000, 1000);
    expect((await opened('changing.ts', folder)).bytesIn).toBeGreaterThan(0);
  });

  it('stay within the size limit, drop the least recently used index first, and tolerate a read-only folder', async () => {
    const folder = folderOf('small');
    const store = new IndexStore({ clock, folder, maxBytes: 3000 });
    for (const name of ['a', 'b', 'c', 'd']) {
      await store.put(name, '1', new Uint8Array(800));
      for (const path of readdirSync(folder)) {
        const { mtimeMs } = statSync(join(folder, path));
        utimesSync(join(folder, path), mtimeMs / 1000 - 10, mtimeMs / 1000 - 10);
      }
    }
    const has = async (name: string): Promise<boolean> => (await store.get(name, '1')) !== undefined;
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(has))).toEqual([false, true, true, true]);
    await store.put('large', '1', new Uint8Array(4000));
    expect(await has('large')).toBe(false);
    expect(await store.get('b', '2')).toBeUndefined();
    const nowhere = new IndexStore({ clock, folder: join(clips.path('film.ts'), 'below') });
    await nowhere.put('a', '1', 1);
    expect(await nowhere.get('a', '1')).toBeUndefined();
  });
});
