import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VodFileObject } from '../../../src-preload/contract/api/vod-file-object.ts';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-files-'));
const ODD = 'Füße & 100 %/#1?';
let stage: CollectionStage;

beforeAll(async () => {
  mkdirSync(join(folder, ODD), { recursive: true });
  writeFileSync(join(folder, ODD, 'a b.mp4'), 'four');
  for (const name of ['one.mp4', 'two.mp4', 'three.ts']) writeFileSync(join(folder, name), name);
  symlinkSync('/etc', join(folder, 'way-out'));
  stage = await CollectionStage.start(`vod clips/all { storage s3://bucket/x; storage ${folder}; }\n`);
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

async function files(path: string): Promise<readonly VodFileObject[]> {
  const { status, body } = await stage.ask('GET', `/vods/clips%2Fall/storages/${path}`);
  expect([path, status]).toEqual([path, 200]);
  return (body as { files: VodFileObject[] }).files;
}

it('lists folders of a location, with filters, order and portions', async () => {
  const names = (list: readonly VodFileObject[]): string[] => list.map(({ subpath }) => subpath);
  expect(names(await files('1/files'))).toEqual(['Füße & 100 %', 'one.mp4', 'three.ts', 'two.mp4']);
  expect(names(await files('1/files?is_directory=false&sort=-bytes'))).toEqual(['three.ts', 'one.mp4', 'two.mp4']);
  expect(names(await files('1/files?limit=1&name_gt=clips/all/one.mp4'))).toEqual(['three.ts']);
  expect(await files(`1/files/${encodeURIComponent(ODD)}`)).toEqual([
    {
      ...{ name: `clips/all/${ODD}/a b.mp4`, prefix: 'clips/all', url: join(folder, ODD, 'a b.mp4'), folder: ODD },
      ...{ subpath: `${ODD}/a b.mp4`, bytes: 4, is_directory: false, is_multibitrate_directory: false },
      ...{ opened: false, stats: null },
    },
  ]);
});

it('refuses what is no folder of a location, with a code', async () => {
  const wanted: readonly (readonly [string, number, string])[] = [
    ['clips%2Fall/storages/0/files', 400, 'vod_storage_not_supported'],
    ['clips%2Fall/storages/2/files', 404, 'vod_not_found'],
    ['clips%2Fall/storages/x/files', 404, 'vod_not_found'],
    ['other/storages/0/files', 404, 'vod_not_found'],
    ['clips%2Fall/storages/1/files/way-out', 404, 'vod_path_not_found'],
    ['clips%2Fall/storages/1/files/..%2f..', 404, 'vod_path_not_found'],
    ['clips%2Fall/storages/1/files/one.mp4', 404, 'vod_path_not_found'],
    ['opened_files/nothing.mp4', 404, 'vod_file_not_found'],
  ];
  for (const [path, status, code] of wanted) {
    const { status: found, body } = await stage.ask('GET', `/vods/${path}`);
    expect([path, found, (body as { error?: string }).error]).toEqual([path, status, code]);
  }
  const { status, body } = await stage.ask('GET', '/vods/opened_files');
  expect([status, (body as { files: unknown }).files]).toEqual([200, []]);
});
