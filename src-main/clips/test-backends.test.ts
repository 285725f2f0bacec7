import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestBackends } from './test-backends.ts';

const ANSWER = '{"ad_inject":{"preroll":["ads/a.mp4"]}}';
let base: string;
let folder: string;
let backends: TestBackends;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'airdesk-test-backends-'));
  folder = join(base, 'test-backends');
  backends = new TestBackends(folder);
});
afterEach(() => rmSync(base, { recursive: true }));

it('TestBackends stores backends as files, overwrites and deletes them', async () => {
  expect(await backends.list()).toEqual([]);
  const path = await backends.save('summer', ANSWER);
  expect(await backends.save('summer', `${ANSWER}\n`)).toBe(path);
  await backends.save('autumn', ANSWER);
  writeFileSync(join(folder, 'long.json'), ' '.repeat(70_000));
  writeFileSync(join(folder, 'other.txt'), '');
  expect(await backends.list()).toEqual([
    { name: 'autumn', path: join(folder, 'autumn.json'), text: ANSWER },
    { name: 'summer', path, text: `${ANSWER}\n` },
  ]);
  expect(readFileSync(path, 'utf8')).toBe(`${ANSWER}\n`);
  await backends.remove('summer');
  await expect(backends.remove('summer')).rejects.toMatchObject({ code: 'not_found' });
  expect(readdirSync(folder)).toEqual(['autumn.json', 'long.json', 'other.txt']);
});

it.each([
  ['../summer', ANSWER, 'letters'],
  ['', ANSWER, 'letters'],
  ['a'.repeat(100_000), ANSWER, 'letters'],
  ['a', '', 'not JSON'],
  ['a', '[]', 'ad_inject'],
  ['a', 'null', 'ad_inject'],
  ['a', '{"ad_inject":{"preroll":["http://ads.example/a.mp4"]}}', 'preroll'],
  ['a', `{"ad_inject":{"preroll":[${Array.from({ length: 5000 }, () => '"ads/a.mp4"').join()}]}}`, 'preroll'],
  ['a', ' '.repeat(70_000), '65536'],
])('TestBackends refuses %.20s with %.60s', async (name, text, word) => {
  await expect(backends.save(name, text)).rejects.toMatchObject({
    code: 'bad_value',
    message: expect.stringContaining(word) as unknown,
  });
  expect(readdirSync(base)).toEqual([]);
});

it('TestBackends stores at most 50 backends', async () => {
  for (let at = 0; at < 50; at++) await backends.save(`b${at}`, ANSWER);
  await expect(backends.save('one-more', ANSWER)).rejects.toMatchObject({ code: 'bad_value' });
  await backends.save('b7', ANSWER);
});
