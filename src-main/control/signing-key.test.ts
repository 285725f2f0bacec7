import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { SigningKey } from './signing-key.ts';

let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-signing-'));
  path = join(folder, 'subscribers.key');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function signingKey(isUsed = false): SigningKey {
  return new SigningKey({ path, log: silentLog, now: () => 0 }, () => Promise.resolve(isUsed));
}

it('SigningKey creates a key once', async () => {
  const key = await signingKey().read();
  expect(await signingKey(true).read()).toBe(key);
});

it.each([undefined, '', 'no key', '-----BEGIN PRIVATE KEY-----\n'])(
  'SigningKey fails without the key of existing signatures (%j) until it is restored or a new one is confirmed',
  async (content) => {
    const before = await signingKey().read();
    rmSync(path);
    if (content !== undefined) writeFileSync(path, content);
    const key = signingKey(true);
    await expect(key.read()).rejects.toMatchObject({ code: 'key_lost', status: 503 });
    writeFileSync(path, before);
    expect(await key.read()).toBe(before);

    writeFileSync(path, content ?? '');
    const again = signingKey(true);
    await expect(again.read()).rejects.toMatchObject({ code: 'key_lost' });
    expect(readFileSync(path, 'utf8')).toBe(content ?? '');
    expect(again.file.renew()).toBe(true);
    expect(await again.read()).not.toBe(before);
  },
);
