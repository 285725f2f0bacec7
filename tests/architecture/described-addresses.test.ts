import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listedOperations } from '../helpers/api-operations.ts';
import { readFileName, readMediaAddress, type MediaResource } from '../../src-main/delivery/media-address.ts';

const ROOT = join(import.meta.dirname, '../..');
const PATHS = [...new Set(listedOperations().map(({ path }) => path))];

/** Patterns of the documented paths; the value of a name may contain slashes, the value of a parameter may not. */
const PATTERNS = PATHS.map((path) => {
  const pattern = path
    .split(/(\{\w+\})/)
    .map((part) => (part === '{name}' ? '.+' : part.startsWith('{') ? '[^/]+' : part.replace(/[.+]/g, String.raw`\$&`)))
    .join('');
  return { path, pattern: new RegExp(`^${pattern}$`) };
});
/** Whether an address is documented. The path of a file in a VOD location matches everything, so it is excluded. */
const isDescribed = (address: string): boolean =>
  PATTERNS.some(({ path, pattern }) => path !== '/{name}' && pattern.test(address));

/** Addresses of each kind of media. */
const SAMPLES: Readonly<Record<Exclude<MediaResource['kind'], 'download' | 'unsupported-format'>, readonly string[]>> =
  {
    multivariant: ['/a/index.m3u8', '/a/archive-1-2.m3u8', '/a/rewind-60.m3u8', '/a/break-x1.m3u8'],
    'ts-playlist': ['/a/index.ts.m3u8', '/a/video.m3u8', '/a/archive-1-2.ts.m3u8'],
    mpd: ['/a/index.mpd', '/a/archive-1-2.mpd'],
    'json-manifest': ['/a/index.json', '/a/archive-1-2.json'],
    mpegts: ['/a/mpegts', '/a/index.ts', '/a/archive-1-2.ts'],
    mp4: ['/a/index.mp4', '/a/archive-1-2.mp4'],
    embed: ['/a/embed.html'],
    'media-info': ['/a/media_info.json'],
    info: ['/a/info.json'],
    'recording-status': ['/a/recording_status.json'],
    preview: ['/a/preview.jpg'],
    'recorded-picture': ['/a/1.jpg', '/a/1-preview.jpg', '/a/1.5.jpg'],
    'preview-file': ['/a/preview.mp4', '/a/1-preview.mp4', '/a/preview-0-01-02.mp4'],
    sprite: ['/a/sprite-1-2.jpg'],
    thumbnails: ['/a/thumbnails-1-2.vtt', '/a/thumbnails-1-2.json', '/a/thumbnails-1-2.m3u8'],
    'media-playlist': ['/a/v1/index.m3u8', '/a/v1/archive-1-2.m3u8', '/a/v1/break-x1.m3u8'],
    init: ['/a/v1/init-1.mp4', '/a/v1/k-init-1.mp4'],
    segment: ['/a/v1/1.m4s', '/a/v1/k-1.m4s'],
    part: ['/a/v1/1.2.m4s'],
    'ts-segment': ['/a/ts/1.ts'],
    'subtitle-playlist': ['/a/s1/index.m3u8'],
    subtitles: ['/a/s1/subtitles.vtt'],
  };

describe('the OpenAPI document', () => {
  it('contains the addresses of every kind of media', () => {
    for (const [kind, addresses] of Object.entries(SAMPLES))
      for (const address of addresses) {
        expect([address, readMediaAddress(address)?.resource.kind]).toEqual([address, kind]);
        expect([address, isDescribed(address)]).toEqual([address, true]);
      }
  });

  it('contains the address of a file', () => {
    expect(readFileName('/clips/a.mov')).toBe('clips/a.mov');
    expect(PATHS).toContain('/{name}');
  });

  it('contains every other route of the server, except those of login, access and the documentation page', () => {
    const prefixes = new Map(
      [...readFileSync(join(ROOT, 'src-main/api/http/prefixes.ts'), 'utf8').matchAll(/const (\w+) = '([^']+)'/g)].map(
        ([, name = '', prefix = '']) => [name, prefix],
      ),
    );
    const sources = readdirSync(join(ROOT, 'src-main/api'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(ROOT, 'src-main/api', file), 'utf8'));
    const routes = sources.flatMap((source) =>
      [...source.matchAll(/\b(?:app|scope)\.(?:get|put|post|delete)(?:<[^(]*>)?\(\s*['`]([^'`]+)['`]/g)].map(
        ([, path = '']) =>
          path.replace(/\$\{(\w+)\}/, (_, name: string) => prefixes.get(name) ?? name).replace(/:(\w+)/, '{$1}'),
      ),
    );
    const described = new Set(PATHS);
    expect([...new Set(routes)].filter((path) => !described.has(path)).sort()).toEqual([
      '/-/access',
      '/-/docs',
      '/-/login',
      '/-/logout',
    ]);
  });
});
