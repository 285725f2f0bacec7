import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../tests/helpers/parse-config.ts';
import { signAddress } from '../sessions/signed-address.ts';
import { findPublishTarget } from './publish-policy.ts';

const { config } = parseConfig(`
stream cam1 { input publish://; }
stream gate { input publish://; password secret; }
stream news { input udp://239.0.0.1:1234; }
stream off { input publish://; disabled; }
live studio { }
live closed { password door; }
live guests { publish_key 0123456789abcdef,ABCDEFGHIJKLMNOP; }
live both { password door; publish_key 0123456789abcdef; }
`);

const NOW_MS = 1_767_225_600_000;
const EXPIRES = '1767225660';

function target(
  path: string,
  password?: string,
  signature: Readonly<Record<string, string>> = {},
): ReturnType<typeof findPublishTarget> {
  if (!config) throw new Error('the configuration of this test has a mistake');
  const query = new Map(Object.entries({ ...(password === undefined ? {} : { password }), ...signature }));
  return findPublishTarget(config, { protocol: 'rtmp', path, query, peer: '192.0.2.9:1' }, NOW_MS);
}

describe('findPublishTarget', () => {
  it.each([
    ['static/cam1', undefined, 'cam1', true],
    ['cam1', undefined, 'cam1', true],
    ['static/gate', 'secret', 'gate', true],
    ['studio/left', undefined, 'studio/left', false],
    ['studio/floor/2', undefined, 'studio/floor/2', false],
    ['closed/a', 'door', 'closed/a', false],
  ])('admits %s', (path, password, name, isConfigured) => {
    expect(target(path, password)).toMatchObject({ allowed: true, name, isConfigured });
  });

  it.each([
    ['static/gate', undefined, 'publish_bad_password'],
    ['static/gate', 'Secret', 'publish_bad_password'],
    ['closed/a', 'door2', 'publish_bad_password'],
    ['static/news', undefined, 'publish_not_allowed'],
    ['static/off', undefined, 'publish_not_allowed'],
    ['other/cam', undefined, 'publish_not_allowed'],
    ['studio', undefined, 'publish_not_allowed'],
    ['studio/../cam', undefined, 'bad_stream_name'],
    ['studio/a b', undefined, 'bad_stream_name'],
  ])('refuses %s with password %s', (path, password, code) => {
    expect(target(path, password)).toMatchObject({ allowed: false, code });
  });
});

describe('findPublishTarget with signed addresses', () => {
  const signed = (name: string, key: string, ip = '', expires = EXPIRES): Record<string, string> => ({
    expires,
    sig: signAddress({ use: 'publish', name, ip }, expires, key),
  });

  it.each([
    ['guests/a', undefined, signed('guests/a', '0123456789abcdef')],
    ['guests/a', undefined, signed('guests/a', 'ABCDEFGHIJKLMNOP')],
    ['guests/a', undefined, signed('guests/a', '0123456789abcdef', '192.0.2.9')],
    ['both/a', 'door', {}],
    ['both/a', undefined, signed('both/a', '0123456789abcdef')],
  ])('admits %s', (path, password, signature) => {
    expect(target(path, password, signature)).toMatchObject({ allowed: true, name: path });
  });

  it.each([
    ['guests/a', undefined, {}, 'publish_bad_signature'],
    ['guests/b', undefined, signed('guests/a', '0123456789abcdef'), 'publish_bad_signature'],
    ['guests/a', undefined, signed('guests/a', '0123456789abcdef', '192.0.2.8'), 'publish_bad_signature'],
    ['guests/a', undefined, signed('guests/a', '0123456789abcdef', '', '1767225600'), 'publish_bad_signature'],
    ['both/a', 'wrong', {}, 'publish_bad_password'],
    ['both/a', 'wrong', signed('both/a', 'another key of it'), 'publish_bad_signature'],
  ])('refuses %s', (path, password, signature, code) => {
    expect(target(path, password, signature)).toMatchObject({ allowed: false, code });
  });
});
