import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { KeyFile } from './key-file.ts';

const KEY = new Uint8Array(32).fill(7);
let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-key-'));
  path = join(folder, 'a.key');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function keyFile(): KeyFile {
  return new KeyFile({
    path,
    make: () => KEY,
    isKey: ({ length }) => length === 32,
    log: silentLog,
    now: () => 0,
  });
}

const LOST = expect.objectContaining({ code: 'key_lost', status: 503 }) as Error;

it('KeyFile creates a key that only its owner can read if no data need an existing key', () => {
  expect(keyFile().read(false)).toEqual(KEY);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a.key']);
});

it.each([
  ['missing', undefined],
  ['empty', new Uint8Array(0)],
  ['cut', new Uint8Array(16)],
  ['of another key', new Uint8Array(32).fill(9)],
])('KeyFile refuses a file that is %s while data need the key, and writes nothing', (_, content) => {
  if (content) writeFileSync(path, content);
  const file = keyFile();
  const read = (): Uint8Array => file.read(true, ([first]) => first === 7);
  expect(read).toThrow(LOST);
  expect(file.isLost).toBe(true);
  expect(readdirSync(folder)).toHaveLength(content ? 1 : 0);
  writeFileSync(path, KEY);
  expect(read()).toEqual(KEY);
  expect(file.isLost).toBe(false);
});

it('KeyFile creates a new key after a second confirmation, keeps the old file, and accepts the new key after restarts', () => {
  writeFileSync(path, 'short');
  const file = keyFile();
  expect(file.renew()).toBe(false);
  expect(() => file.read(true)).toThrow(LOST);
  expect(file.renew()).toBe(true);
  expect(file.isLost).toBe(false);
  const aside = readdirSync(folder).find((name) => name.startsWith('a.key.damaged-')) ?? '';
  expect(readFileSync(join(folder, aside), 'utf8')).toBe('short');
  expect(keyFile().read(true, () => false)).toEqual(KEY);
});
