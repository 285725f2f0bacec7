import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ExportRequest } from './thread/export-request.ts';
import { filePaths } from './export-paths.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-place-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const REQUEST = { streams: ['cam'], fromMs: 0, toMs: 5000, packing: 'mp4' } as unknown as ExportRequest;

async function stemOf(
  request = REQUEST,
  steps: readonly string[] = [],
  reserved: readonly string[] = [],
): Promise<string> {
  const placed = await filePaths({ folder, steps }, request, new Set(reserved));
  return 'code' in placed ? placed.code : (placed[0]?.stem ?? '').slice(folder.length + 1);
}

it('filePaths numbers exports of the same time range, including queued ones, and refuses a chosen name that exists', async () => {
  const first = await stemOf();
  expect(first).toMatch(/^cam\/cam-1970-01-01T00-00-00-000Z-5s$/);
  expect(await stemOf(REQUEST, [], [join(folder, first)])).toBe(`${first}-2`);
  mkdirSync(join(folder, 'cam'));
  writeFileSync(join(folder, `${first}.mp4`), '');
  expect(await stemOf()).toBe(`${first}-2`);
  expect(await stemOf(REQUEST, [], [join(folder, `${first}-2`)])).toBe(`${first}-3`);
  writeFileSync(join(folder, 'one.mp4'), '');
  expect(await stemOf({ ...REQUEST, path: 'one.mp4' }, ['one.mp4'])).toBe('export_file_exists');
});

it('filePaths names files after their stream and time, or as requested', async () => {
  const two = { ...REQUEST, streams: ['news/cam', 'yard'] };
  const placed = await filePaths({ folder, steps: [] }, two);
  expect('code' in placed ? placed : placed.map(({ stem }) => stem.slice(folder.length + 1))).toEqual([
    'news/cam/news-cam-1970-01-01T00-00-00-000Z-5s',
    'yard/yard-1970-01-01T00-00-00-000Z-5s',
  ]);
  expect(await stemOf({ ...REQUEST, fileName: 'The goal' })).toBe('cam/The goal');
  expect(await stemOf({ ...REQUEST, fileName: '../goal' })).toBe('bad_value');
});
