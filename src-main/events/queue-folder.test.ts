import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DiskFolder } from './queue-folder.ts';

let path: string;
let folder: DiskFolder;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'airdesk-folder-'));
  folder = await DiskFolder.open(path);
});

afterEach(async () => {
  await folder.close();
  await rm(path, { recursive: true });
});

it('DiskFolder lists its files while one of them is replaced repeatedly', async () => {
  await folder.replace('kept', 'abc');
  let isDone = false;
  const written = (async () => {
    for (let count = 0; count < 300; count++) await folder.replace('checkpoint', `${count}`);
    isDone = true;
  })();
  let lists = 0;
  while (!isDone) {
    expect(await folder.list()).toContainEqual({ name: 'kept', bytes: 3 });
    lists++;
  }
  await written;
  expect(lists).toBeGreaterThan(0);
});
