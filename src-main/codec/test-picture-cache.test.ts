import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SMALL_PICTURE, testLoop } from '../../tests/helpers/test-media.ts';
import { writeLoopFile } from './test-picture/loop-file.ts';
import { TestPictureCache, type TestPictureMaker } from './test-picture-cache.ts';

let folder = '';
let count = 0;
const file = writeLoopFile(testLoop());
const maker: TestPictureMaker = {
  run: (_, { path }) => {
    count++;
    writeFileSync(path, file);
    return Promise.resolve();
  },
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-cache-'));
  count = 0;
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('TestPictureCache makes a loop once, for all requests and for the next start', async () => {
  const cache = new TestPictureCache({ folder, maker });
  const loops = await Promise.all([cache.load(SMALL_PICTURE), cache.load(SMALL_PICTURE)]);
  expect(loops[0]).toBe(loops[1]);
  expect(await cache.load({ ...SMALL_PICTURE })).toBe(loops[0]);
  expect(await new TestPictureCache({ folder, maker }).load(SMALL_PICTURE)).toEqual(loops[0]);
  expect(count).toBe(1);
  expect(loops[0]).toEqual(testLoop());
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['half', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['empty', () => Buffer.alloc(0)],
  ['changed in one bit', (bytes) => Buffer.from(bytes.map((byte, i) => (i === 5000 ? byte ^ 1 : byte)))],
  ['of an older version', (bytes) => Buffer.from(bytes.map((byte, i) => (i === 8 ? 0 : byte)))],
])('TestPictureCache makes a file again if it is %s', async (_, spoil) => {
  await new TestPictureCache({ folder, maker }).load(SMALL_PICTURE);
  const [name] = readdirSync(folder);
  const path = join(folder, name ?? '');
  writeFileSync(path, spoil(readFileSync(path)));
  expect(await new TestPictureCache({ folder, maker }).load(SMALL_PICTURE)).toEqual(testLoop());
  expect(count).toBe(2);
});

test('TestPictureCache rejects with the error of the maker, and tries again on the next request', async () => {
  let isBroken = true;
  const cache = new TestPictureCache({
    folder,
    maker: { run: (...job) => (isBroken ? Promise.reject(new Error('no')) : maker.run(...job)) },
  });
  await expect(cache.load(SMALL_PICTURE)).rejects.toThrow('no');
  isBroken = false;
  expect((await cache.load(SMALL_PICTURE)).units).toBe(1150);
  const silent = new TestPictureCache({ folder, maker: { run: () => Promise.resolve() } });
  await expect(silent.load({ ...SMALL_PICTURE, width: 64 })).rejects.toMatchObject({ code: 'codec_process_failed' });
});

test("TestPictureCache keeps the newest files up to its limit, and no other program's files are removed", async () => {
  writeFileSync(join(folder, 'test-picture-old.loop.77.tmp'), '');
  utimesSync(join(folder, 'test-picture-old.loop.77.tmp'), 1, 1);
  writeFileSync(join(folder, 'not-ours.txt'), '');
  const cache = new TestPictureCache({ folder, maker, maxFiles: 2 });
  for (const gopFrames of [10, 20, 25]) await cache.load({ ...SMALL_PICTURE, gopFrames });
  expect(readdirSync(folder)).toHaveLength(3);
  expect(readdirSync(folder)).toContain('not-ours.txt');
  expect(count).toBe(3);
});
