import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import type { AirdeskError } from '../../src-preload/contract/errors.ts';
import { checkPaths } from './path-policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-paths-'));
const data = join(folder, 'data');
const media = join(folder, 'media');
mkdirSync(data);
mkdirSync(media);
writeFileSync(join(folder, 'outside.ts'), '');
symlinkSync(join(folder, 'outside.ts'), join(data, 'link.ts'));
symlinkSync(folder, join(data, 'all'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const API = { who: 'boss', fromWhere: 'api 192.0.2.1' };

async function check(before: string, after: string, by = API, wasInForce = false): Promise<string> {
  try {
    await checkPaths(configOf(before), configOf(after), by, { dataFolder: data, wasInForce });
    return 'accepted';
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

/** JSON Pointer in the refusal of a change. */
async function pointerOf(before: string, after: string): Promise<unknown> {
  try {
    await checkPaths(configOf(before), configOf(after), API, { dataFolder: data });
    return 'accepted';
  } catch (error) {
    return (error as AirdeskError).details['pointer'];
  }
}

describe('paths in API changes', () => {
  it.each([
    'stream a { input playlist:///etc/shadow; }',
    'stream a { input file:///etc/shadow; }',
    'stream a { input file:///etc/shadow?loop=false; }',
    'stream a { input file://../outside.ts; }',
    'stream a { input file://link.ts; }',
    'stream a { input file://all/outside.ts; }',
    'stream a { input file://all/new.ts; }',
    'stream a { input rtp:// sdp=/etc/shadow; }',
    'stream a { input rtp:// sdp=link.ts; }',
    'stream a { input fake://; backup /etc/shadow; }',
    'template a { prefix b; input file:///etc/shadow; }',
    'event_sink a { url log:///etc/cron.d/airdesk; }',
    'event_sink a { url jsonlog:///etc/cron.d/airdesk; }',
    'auth_backend a { backend /etc/shadow; }',
    'vod a { storage /etc; }',
    'ssl_certificate /etc/shadow;',
    'geoip /etc/shadow;',
  ])('are refused outside the data folder: %s', async (text) => {
    expect(await check('', text)).toBe('path_not_allowed');
  });

  it.each([
    'stream a { input file://clip.ts; }',
    'stream a { input playlist://lists/day.m3u; title /etc/shadow; }',
    `stream a { input file://${data}/clip.ts; }`,
    'event_sink a { url log://events.log; }',
    'stream a { input rtmp://192.0.2.1/live/a; }',
  ])('are accepted inside the data folder: %s', async (text) => {
    expect(await check('', text)).toBe('accepted');
  });

  it.each([
    [
      'stream a { input fake://; } stream b/c { input fake://; input file:///etc/shadow?loop=false; }',
      '/streams/b~1c/inputs/1/url',
    ],
    ['stream a { input rtp:// sdp=/etc/shadow; }', '/streams/a/inputs/0/sdp'],
    ['stream a { input fake://; backup /etc/shadow; }', '/streams/a/backup/file'],
    ['template a { prefix b; input file:///etc/shadow; }', '/templates/a/inputs/0/url'],
    ['event_sink a { url log:///etc/cron.d/airdesk; }', '/event_sinks/a/url'],
    ['vod a { storage media; storage /etc; }', '/vods/a/storages/1'],
    ['ssl_certificate /etc/shadow;', '/ssl_certificate'],
    ['allowed_paths /etc;', '/allowed_paths'],
  ])('are refused with a JSON Pointer: %s', async (text, pointer) => {
    expect(await pointerOf('', text)).toBe(pointer);
  });

  it('that are new are refused with a JSON Pointer; existing ones are ignored', async () => {
    const known = 'stream a { input file:///etc/shadow; }';
    expect(await pointerOf(known, `${known} event_sink b { url log:///etc/shadow; }`)).toBe('/event_sinks/b/url');
  });

  it('are accepted in folders of allowed_paths, which cannot be changed through the API', async () => {
    const stream = `stream a { input file://${media}/clip.ts; }`;
    const allowed = `allowed_paths ${media};`;
    expect(await check('', stream)).toBe('path_not_allowed');
    expect(await check(allowed, `${allowed} ${stream}`)).toBe('accepted');
    expect(await check('', `${allowed} ${stream}`)).toBe('path_not_allowed');
    expect(await check(allowed, '')).toBe('path_not_allowed');
  });

  it('are accepted from a version of the history unless it extends allowed_paths', async () => {
    const version = 'stream a { input fake://; on_play /srv/ads.json; backup /srv/wait.mp4; }';
    expect(await check('', version)).toBe('path_not_allowed');
    expect(await check('', version, API, true)).toBe('accepted');
    const allowed = `allowed_paths ${media};`;
    expect(await check(allowed, version, API, true)).toBe('accepted');
    expect(await check('', `${allowed} ${version}`, API, true)).toBe('path_not_allowed');
  });

  it('are accepted again for the same purpose, but not for another', async () => {
    const stream = 'stream a { input file:///srv/clip.ts; }';
    expect(await check(stream, `${stream} stream b { input file:///srv/clip.ts; }`)).toBe('accepted');
    const key = 'ssl_certificate_key /etc/ssl/private.key;';
    expect(await check(key, `${key} stream c { input playlist:///etc/ssl/private.key; }`)).toBe('path_not_allowed');
  });

  it('are unrestricted for the local window, but not for a desk over the network', async () => {
    const stream = 'stream a { input file:///srv/clip.ts; }';
    expect(await check('', stream, { who: 'desk', fromWhere: 'desk' })).toBe('accepted');
    expect(await check('', stream, { who: 'boss', fromWhere: 'desk 192.0.2.1' })).toBe('path_not_allowed');
  });
});
