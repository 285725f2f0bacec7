import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VodFileObject } from '../../../src-preload/contract/api/vod-file-object.ts';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { until } from '../../../tests/helpers/until.ts';

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
  const { status, body } = await stage.request('GET', `/vods/clips%2Fall/storages/${path}`);
  expect([path, status]).toEqual([path, 200]);
  return (body as { files: VodFileObject[] }).files;
}

it('VOD folders are listed with filters, order and pages', async () => {
  const names = (list: readonly VodFileObject[]): string[] => list.map(({ subpath }) => subpath);
  expect(names(await files('1/files'))).toEqual(['Füße & 100 %', 'one.mp4', 'three.ts', 'two.mp4']);
  expect(names(await files('1/files?is_directory=false&sort=-bytes'))).toEqual(['three.ts', 'one.mp4', 'two.mp4']);
  expect(names(await files('1/files?limit=1&name_gt=clips/all/one.mp4'))).toEqual(['three.ts']);
  expect(await files(`1/files/${encodeURIComponent(ODD)}`)).toEqual([
    {
      name: `clips/all/${ODD}/a b.mp4`,
      prefix: 'clips/all',
      url: join(folder, ODD, 'a b.mp4'),
      folder: ODD,
      subpath: `${ODD}/a b.mp4`,
      bytes: 4,
      is_directory: false,
      is_multibitrate_directory: false,
      opened: false,
      stats: null,
    },
  ]);
});

it('paths outside a VOD location are refused with a code', async () => {
  const expected: readonly (readonly [string, number, string])[] = [
    ['clips%2Fall/storages/0/files', 400, 'vod_storage_not_supported'],
    ['clips%2Fall/storages/2/files', 404, 'vod_not_found'],
    ['clips%2Fall/storages/x/files', 404, 'vod_not_found'],
    ['other/storages/0/files', 404, 'vod_not_found'],
    ['clips%2Fall/storages/1/files/way-out', 404, 'vod_path_not_found'],
    ['clips%2Fall/storages/1/files/..%2f..', 404, 'vod_path_not_found'],
    ['clips%2Fall/storages/1/files/one.mp4', 404, 'vod_path_not_found'],
    ['opened_files/nothing.mp4', 404, 'vod_file_not_found'],
  ];
  for (const [path, status, code] of expected) {
    const { status: found, body } = await stage.request('GET', `/vods/${path}`);
    expect([path, found, (body as { error?: string }).error]).toEqual([path, status, code]);
  }
  const { status, body } = await stage.request('GET', '/vods/opened_files');
  expect([status, (body as { files: unknown }).files]).toEqual([200, []]);
});

describe('uploaded VOD files', () => {
  const storage = 'vods/clips%2Fall/storages/1/files';
  const address = (path: string): string => `${stage.url}/streamer/api/v3/${storage}/${path}`;
  const send = async (
    path: string,
    body: NonNullable<RequestInit['body']>,
  ): Promise<readonly [number, Partial<VodFileObject & { error: string }>]> => {
    // The content type does not matter: any body is a file.
    const headers = { 'content-type': 'application/json' };
    const answered = await fetch(address(path), { method: 'PUT', body, headers, duplex: 'half' });
    return [answered.status, (await answered.json()) as Partial<VodFileObject>];
  };
  const at = (...path: string[]): string => join(folder, ...path);

  it('appear when complete, and replace existing files only on request', async () => {
    const path = `${encodeURIComponent(ODD)}/new%20one.mp4`;
    expect(await send(path, '{')).toEqual([
      201,
      {
        name: `clips/all/${ODD}/new one.mp4`,
        prefix: 'clips/all',
        url: at(ODD, 'new one.mp4'),
        folder: ODD,
        subpath: `${ODD}/new one.mp4`,
        bytes: 1,
        is_directory: false,
        is_multibitrate_directory: false,
        opened: false,
        stats: null,
      },
    ]);
    expect(await send(path, 'other')).toMatchObject([409, { error: 'vod_file_exists' }]);
    expect(readFileSync(at(ODD, 'new one.mp4'), 'utf8')).toBe('{');
    expect(await send(`${path}?overwrite=true`, 'other')).toMatchObject([200, { bytes: 5 }]);
    expect(readFileSync(at(ODD, 'new one.mp4'), 'utf8')).toBe('other');
    // A slash may be percent-encoded or not.
    const encoded = encodeURIComponent(`${ODD}/new one.mp4`);
    expect(await stage.request('DELETE', `/${storage}/${encoded}`)).toMatchObject({ status: 204 });
    expect(await stage.request('DELETE', `/${storage}/${encoded}`)).toMatchObject({ status: 404 });
    expect(readdirSync(at(ODD))).toEqual(['a b.mp4']);
  });

  it('may be larger than other bodies, and of unknown length', async () => {
    const bytes = Buffer.alloc(3 << 20, 'abc');
    expect(await send('long.mp4', bytes)).toMatchObject([201, { bytes: bytes.length }]);
    expect(await send('open.mp4', new Blob([bytes]).stream())).toMatchObject([201, { bytes: bytes.length }]);
    for (const name of ['long.mp4', 'open.mp4']) {
      expect(readFileSync(at(name)).equals(bytes)).toBe(true);
      rmSync(at(name));
    }
    expect(await send('empty', '')).toMatchObject([201, { bytes: 0 }]);
    rmSync(at('empty'));
  });

  it('leave no file if they are refused or interrupted', async () => {
    const before = readdirSync(folder).sort();
    const long = 'x'.repeat(2 << 20);
    for (const [path, status, code] of [
      ['..%2fout.mp4', 404, 'vod_path_not_found'],
      ['way-out/x.mp4', 404, 'vod_path_not_found'],
      ['none/x.mp4', 404, 'vod_path_not_found'],
      ['.hidden', 400, 'bad_value'],
      ['x.tmp', 400, 'bad_value'],
      ['one.mp4', 409, 'vod_file_exists'],
      [`${encodeURIComponent(ODD)}?overwrite=true`, 409, 'vod_file_exists'],
      ['x.mp4?overwrite=maybe', 400, 'bad_request'],
    ] as const)
      expect([path, ...(await send(path, long))]).toMatchObject([path, status, { error: code }]);
    const target = new URL(address('cut.mp4'));
    const socket = connect(Number(target.port), target.hostname);
    socket.write(`PUT ${target.pathname} HTTP/1.1\r\nHost: ${target.host}\r\nContent-Length: 1000\r\n\r\nabc`);
    await until(
      'the start of the file',
      () => readdirSync(folder).some((name) => name.startsWith('.airdesk-upload-')),
      30_000,
    );
    socket.destroy();
    await until(
      'the removal of the partial file',
      () => !readdirSync(folder).some((name) => name.startsWith('.airdesk-upload-')),
      30_000,
    );
    expect(readdirSync(folder).sort()).toEqual(before);
    for (const path of ['way-out%2fpasswd', '..%2f..%2fetc%2fpasswd', 'none.mp4'])
      expect(await stage.request('DELETE', `/${storage}/${path}`)).toMatchObject({ status: 404 });
  });
});
