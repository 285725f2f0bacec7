import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { AirdeskError } from '../../src-preload/contract/errors.ts';
import { checkOpened } from './opened-configuration.ts';

const data = mkdtempSync(join(tmpdir(), 'airdesk-opened-'));
afterAll(() => {
  rmSync(data, { recursive: true, force: true });
});

async function check(text: string, ownText = ''): Promise<unknown> {
  try {
    await checkOpened(text, ownText, data);
    return 'accepted';
  } catch (error) {
    return [(error as AirdeskError).code, (error as AirdeskError).details['pointer']];
  }
}

it('a configuration opened by double-click must be valid and name only files that the configuration in force allows', async () => {
  const stream = 'stream a { input file:///srv/media/clip.ts; }';
  expect(await check('stream a { input fake://; }')).toBe('accepted');
  expect(await check(stream)).toEqual(['path_not_allowed', '/streams/a/inputs/0/url']);
  expect(await check(stream, 'allowed_paths /srv;')).toEqual(['path_not_allowed', '/allowed_paths']);
  expect(await check(`allowed_paths /srv; ${stream}`)).toEqual(['path_not_allowed', '/allowed_paths']);
  expect(await check(`allowed_paths /srv; ${stream}`, 'allowed_paths /srv;')).toBe('accepted');
  expect(await check(stream, stream)).toBe('accepted');
  expect(await check(stream, 'stream {')).toEqual(['path_not_allowed', '/streams/a/inputs/0/url']);
  expect(await check('stream {')).toEqual(['config_syntax', undefined]);
});
