import { copyFileSync, existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClipFiles } from '../../../tests/helpers/clip-files.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { until } from '../../../tests/helpers/until.ts';
import { systemClock } from '../../lib/clock.ts';
import { readMedia } from '../../segment/media-bytes.ts';
import { OpenFiles, type OpenFile } from './open-files.ts';

// Real index threads, except that some file names make them crash or hang.

const clips = new ClipFiles();
const threadEntry = new URL('../../../tests/helpers/mortal-index-thread.ts', import.meta.url);

beforeAll(() => {
  clips.add('film.ts', { seconds: 20 });
  clips.add('film.mkv', { seconds: 20 });
  for (const name of ['die.ts', 'hang.ts', 'wait.ts', 'other.ts'])
    copyFileSync(clips.path('film.ts'), clips.path(name));
});

afterAll(() => {
  clips.close();
});

function opened(options: Partial<ConstructorParameters<typeof OpenFiles>[0]> = {}): OpenFiles {
  const files = new OpenFiles({ clock: systemClock, threadEntry, ...options });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000 }]);
  return files;
}

async function mediaOf(files: OpenFiles, name: string): Promise<Buffer> {
  const found = await files.open(`clips/${name}`);
  if ('code' in found) throw new Error(`${name}: ${found.detail}`);
  return bytesOf(found);
}

async function bytesOf({ window }: OpenFile): Promise<Buffer> {
  const parts = window.tracks.flatMap(({ track }) => window.segments(track.id)).flatMap(({ segment }) => segment.parts);
  const bytes: Uint8Array[] = [];
  for (const part of parts) {
    await part.ready?.();
    bytes.push(await readMedia(part));
  }
  return Buffer.concat(bytes);
}

it.each([
  ['listed', Infinity],
  ['outlined', 0],
])('index threads give the same media for %s as the calling thread', async (_, outlineFromBytes) => {
  const onThreads = opened({ outlineFromBytes });
  const here = new OpenFiles({ clock: new FakeClock(), outlineFromBytes });
  here.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000 }]);
  for (const name of ['film.ts', 'film.mkv'])
    expect((await mediaOf(onThreads, name)).equals(await mediaOf(here, name))).toBe(true);
  await Promise.all([onThreads.close(), here.close()]);
});

it('index threads are replaced after a file crashed them, and that file is not read again', async () => {
  const files = opened();
  const [dead, alive] = await Promise.all([files.open('clips/die.ts'), files.open('clips/film.ts')]);
  expect(dead).toMatchObject({ code: 'vod_file_damaged' });
  expect(alive).toHaveProperty('window');
  for (const name of ['other.ts', 'film.mkv']) expect(await files.open(`clips/${name}`)).toHaveProperty('window');
  expect(await files.open('clips/die.ts')).toMatchObject({ code: 'vod_file_damaged' });
  await files.close();
});

it('a film plays without subtitles if reading them ends an index thread', async () => {
  const files = opened();
  for (const name of ['mute', 'told']) {
    copyFileSync(clips.path('film.ts'), clips.path(`${name}.ts`));
    writeFileSync(clips.path(`${name}.en.srt`), '1\n00:00:01,000 --> 00:00:02,000\nHello\n');
    writeFileSync(clips.path(`${name}.fr.srt`), '');
    writeFileSync(clips.path(`${name}.de.srt`), 'x'.repeat(100 << 20));
  }
  const languages = async (name: string): Promise<unknown> => {
    const found = await files.open(`clips/${name}`);
    return 'code' in found ? found : found.window.subtitles.map(({ language }) => language);
  };
  expect(await languages('mute.ts')).toEqual([]);
  expect(await languages('told.ts')).toEqual(['en']);
  await files.close();
});

it('index threads are replaced if they hang until the deadline', async () => {
  const clock = new FakeClock();
  const files = opened({ clock });
  const path = clips.path('hang.ts.started');
  const hanging = files.open('clips/hang.ts');
  await until('the hanging thread', () => existsSync(path), 30_000);
  expect(await files.open('clips/film.ts')).toHaveProperty('window');
  clock.advance(70_000);
  expect(await hanging).toMatchObject({ code: 'vod_index_timeout' });
  for (const name of ['other.ts', 'film.mkv']) expect(await files.open(`clips/${name}`)).toHaveProperty('window');
  expect(files.indexCount).toBe(4);
  await files.close();
});

it('index threads index a file for one address while another address waits for many files', async () => {
  const files = opened({ hangMs: 60_000 });
  const names = ['1-wait.ts', '2-wait.ts', '3-wait.ts'];
  for (const name of names) copyFileSync(clips.path('film.ts'), clips.path(name));
  const greedy = names.map(async (name) => files.open(`clips/${name}`, undefined, '192.0.2.1'));
  await until('a started thread', () => names.some((name) => existsSync(clips.path(`${name}.started`))), 30_000);
  // Another address does not wait for the place of a file that the first address requested earlier.
  const both = files.open('clips/film.mkv', undefined, '192.0.2.1');
  expect(await files.open('clips/film.ts', undefined, '192.0.2.2')).toHaveProperty('window');
  expect(await files.open('clips/film.mkv', undefined, '192.0.2.2')).toHaveProperty('window');
  expect(await both).toHaveProperty('window');
  for (const name of names) writeFileSync(clips.path(`${name}.go`), '');
  for (const answer of greedy) expect(await answer).toHaveProperty('window');
  await files.close();
});

it('index threads cancel only work that no caller waits for', async () => {
  const files = opened({ hangMs: 60_000 });
  const [started, go] = ['.started', '.go'].map((end) => clips.path(`wait.ts${end}`)) as [string, string];
  const callers = Array.from({ length: 3 }, () => new AbortController());
  const answers = callers.map(async ({ signal }) => files.open('clips/wait.ts', signal));
  await until('the started thread', () => existsSync(started), 30_000);
  for (const caller of callers) caller.abort();
  const last = files.open('clips/wait.ts');
  writeFileSync(go, '');
  for (const answer of answers) expect(await answer).toMatchObject({ code: 'vod_file_unreadable' });
  expect(await last).toHaveProperty('window');
  expect(files.indexCount).toBe(1);
  rmSync(go);
  rmSync(started);
  utimesSync(clips.path('wait.ts'), 1, 1);
  await files.close();

  const others = opened({ hangMs: 60_000 });
  const gone = new AbortController();
  const pair = [others.open('clips/wait.ts', gone.signal), others.open('clips/wait.ts', new AbortController().signal)];
  await until('the started thread', () => existsSync(started), 30_000);
  gone.abort();
  writeFileSync(go, '');
  for (const answer of pair) expect(await answer).toHaveProperty('window');
  expect(others.indexCount).toBe(1);
  await others.close();
});
