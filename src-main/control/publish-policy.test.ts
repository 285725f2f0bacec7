import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.ts';
import { findPublishTarget } from './publish-policy.ts';

const { config } = parseConfig(`
stream cam1 { input publish://; }
stream gate { input publish://; password secret; }
stream news { input udp://239.0.0.1:1234; }
stream off { input publish://; disabled; }
live studio { }
live closed { password door; }
`);

function target(path: string, password?: string): ReturnType<typeof findPublishTarget> {
  if (!config) throw new Error('the configuration of this test has a mistake');
  const query = new Map(password === undefined ? [] : [['password', password]]);
  return findPublishTarget(config, { protocol: 'rtmp', path, query, peer: '127.0.0.1:1' });
}

describe('findPublishTarget', () => {
  it.each([
    ['static/cam1', undefined, 'cam1', true],
    ['cam1', undefined, 'cam1', true],
    ['static/gate', 'secret', 'gate', true],
    ['studio/left', undefined, 'studio/left', false],
    ['studio/floor/2', undefined, 'studio/floor/2', false],
    ['closed/a', 'door', 'closed/a', false],
  ])('lets %s in', (path, password, name, isConfigured) => {
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
