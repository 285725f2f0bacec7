import { describe, expect, it } from 'vitest';
import { diffConfig } from './diff-config.ts';
import { SETTINGS_OF_STREAM, SETTINGS_OF_TEMPLATE } from './schema/stream-settings.ts';
import { configOf } from '../../tests/helpers/config-of.ts';

const BASE =
  'http 1; rtmp 2; live live; template t { prefix p; } stream a { input udp://h:1; } stream b { template t; } stream c;';

function diffOf(before: string, after: string): ReturnType<typeof diffConfig> {
  return diffConfig(configOf(before), configOf(after));
}

describe('diffConfig', () => {
  it('finds no difference for other spacing, comments and aliases', () => {
    expect(diffOf(BASE, `# new\n${BASE.replace('input', 'url')}\n`)).toEqual({
      streams: { added: [], removed: [], changed: [] },
      livePrefixes: { added: [], removed: [], changed: [] },
      templates: { added: [], removed: [], changed: [] },
      globals: [],
      isReordered: false,
    });
  });

  it('lists added and removed objects', () => {
    expect(diffOf(BASE, BASE.replace('stream c;', 'stream d; live x;'))).toMatchObject({
      streams: { added: ['d'], removed: ['c'], changed: [] },
      livePrefixes: { added: ['x'], removed: [] },
    });
  });

  it.each<[string, string[], boolean]>([
    ['title x; comment y; position 3;', ['title', 'comment', 'position'], false],
    ['password x;', ['password'], false],
    ['clients_timeout 5; position 3;', ['clientsTimeoutMs', 'position'], false],
    ['retry_limit 3;', ['retryLimit'], true],
    ['template t;', ['template'], false],
    ['push rtmp://h/x;', ['pushes'], false],
    ['backup /x;', ['backup'], true],
    ['segment_duration 4;', ['segmentDurationMs'], true],
    ['title x; disabled;', ['title', 'isDisabled'], true],
    ['input udp://h:2;', ['inputs'], true],
    ['source_timeout 3;', ['inputs', 'sourceTimeoutMs'], true],
  ])('returns for a stream with the additional %j the changed keys %j, restart: %s', (added, keys, mustRestart) => {
    const { streams } = diffOf(BASE, BASE.replace('udp://h:1;', `udp://h:1; ${added}`));
    expect(streams.changed.map((change) => ({ ...change, keys: [...change.keys].sort() }))).toEqual([
      { name: 'a', keys: keys.sort(), mustRestart },
    ]);
  });

  it('lists the streams that use a changed template', () => {
    const change = diffOf(BASE, BASE.replace('prefix p;', 'prefix p; segment_duration 4;'));
    expect(change.templates.changed).toEqual([{ name: 't', keys: ['segmentDurationMs'], mustRestart: true }]);
    expect(change.streams.changed).toEqual([{ name: 'b', keys: ['segmentDurationMs'], mustRestart: true }]);
  });

  it('knows the effect of a change for each setting of streams', () => {
    const settings = Object.entries({ ...SETTINGS_OF_STREAM, ...SETTINGS_OF_TEMPLATE });
    expect(settings.filter(([, { change }]) => change === undefined).map(([key]) => key)).toEqual([]);
  });

  it('lists changed ports and passthrough directives as global', () => {
    expect(diffOf(BASE, `${BASE.replace('http 1', 'http 3')} srt 9;`)).toMatchObject({
      globals: ['http', 'srt'],
      streams: { changed: [] },
    });
  });

  it('finds a changed order of streams', () => {
    expect(diffOf('stream a; stream b; stream c;', 'stream a; stream c; stream b;')).toMatchObject({
      isReordered: true,
    });
    expect(diffOf('stream a; stream b; stream c;', 'stream a; stream x; stream c;')).toMatchObject({
      isReordered: false,
    });
  });
});
