import { describe, expect, it } from 'vitest';
import type { Config } from '../config/schema/config.ts';
import { ConfigDocument } from '../config/document.ts';
import { changeImpact, type Running } from './change-impact.ts';
import type { ConfigImpact } from '../../src-preload/contract/operations/config-impact.ts';

const BEFORE = `http 8080;
rtmp 1935;
hsts 1d;
live studio { segment_duration 2; }
stream cam1 { input fake://; title One; }
stream cam2 { input publish://; }
stream cam3 { input fake://; }
`;
const RUNNING: Running = (name) =>
  ({ cam1: { viewers: 2, hasPublisher: false }, cam2: { viewers: 1, hasPublisher: true } })[name];
const NONE = { count: 0, names: [] };
const EMPTY: ConfigImpact = {
  added: NONE,
  removed: NONE,
  restarted: NONE,
  updated: NONE,
  prefixes: NONE,
  viewers: 0,
  publishers: 0,
  ports_opened: [],
  ports_closed: [],
  settings: [],
  is_reordered: false,
};

function config(text: string): Config {
  const document = ConfigDocument.parse(text);
  if (!document.config) throw new Error(JSON.stringify(document.errors));
  return document.config;
}

function impact(after: string): Promise<ConfigImpact> {
  return changeImpact(config(BEFORE), config(after), RUNNING);
}

const names = (...list: string[]): ConfigImpact['added'] => ({ count: list.length, names: list });

describe('changeImpact', () => {
  it.each<[string, string, Partial<ConfigImpact>]>([
    ['nothing but a comment', `# here\n${BEFORE}`, {}],
    ['a title', BEFORE.replace('title One', 'title Two'), { updated: names('cam1') }],
    ['another input', BEFORE.replace('fake://; title', 'fake://a; title'), { restarted: names('cam1'), viewers: 2 }],
    ['a removed stream', BEFORE.replace(/stream cam2.*\n/, ''), { removed: names('cam2'), viewers: 1, publishers: 1 }],
    ['an added stream', `${BEFORE}stream cam4 { input fake://; }\n`, { added: names('cam4') }],
    [
      'other ports',
      BEFORE.replace('rtmp 1935;', 'rtmp 127.0.0.1:1936;').replace('http 8080;', 'http 8080 [::1]:81;'),
      { ports_opened: ['http [::1]:81', 'rtmp 127.0.0.1:1936'], ports_closed: ['rtmp 1935'] },
    ],
    ['a setting of the server', BEFORE.replace('hsts 1d', 'hsts 2d'), { settings: ['hsts'] }],
    ['a live prefix', BEFORE.replace('duration 2', 'duration 4'), { prefixes: names('studio') }],
  ])('returns the impact of %s', async (_, after, expected) => {
    expect(await impact(after)).toEqual({ ...EMPTY, ...expected });
  });

  it('names 100 streams and counts all', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => `stream s${index} { input fake://; }\n`).join('');
    const { added } = await impact(BEFORE + many);
    expect([added.count, added.names.length]).toEqual([2000, 100]);
  });
});
