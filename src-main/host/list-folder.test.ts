import { systemClock } from '../lib/clock.ts';
import { FileTurns } from '../lib/file-turns.ts';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import { listFolder } from './list-folder.ts';
import { pathBelow } from '../lib/allowed-paths.ts';
import { legacyListFiles } from '../api/legacy/list-files.ts';

const top = mkdtempSync(join(tmpdir(), 'airdesk-list-'));
const root = join(top, 'root');
const NAMES = ['ads', 'bunny', 'b.mp4', 'clip 1.mp4', 'Zoo', 'ä.ts'];

beforeAll(() => {
  for (const folder of ['root/ads/deep', 'root/bunny', 'root/Zoo', 'outside'])
    mkdirSync(join(top, folder), { recursive: true });
  for (const file of [
    'root/b.mp4',
    'root/clip 1.mp4',
    'root/ä.ts',
    'root/.hidden',
    'root/ads/a.mp4',
    'outside/secret.mp4',
  ])
    writeFileSync(join(top, file), 'x');
  symlinkSync(join(top, 'outside'), join(root, 'way-out'));
  symlinkSync('../outside/secret.mp4', join(root, 'ads/secret.mp4'));
  symlinkSync('/nowhere', join(root, 'nowhere'));
  symlinkSync('ads', join(root, 'inside'));
  symlinkSync('loop', join(root, 'loop'));
});
afterAll(() => {
  rmSync(top, { recursive: true });
});

const ALL = { from: '', limit: 1000 };

describe('a folder of a VOD location', () => {
  it('is listed in order of names, without links to other places', async () => {
    expect(await listFolder(root, '/', ALL)).toEqual([
      { name: 'Zoo', type: 'directory' },
      { name: 'ads', type: 'directory' },
      { name: 'b.mp4', type: 'file' },
      { name: 'bunny', type: 'directory' },
      { name: 'clip 1.mp4', type: 'file' },
      { name: 'inside', type: 'directory' },
      { name: 'ä.ts', type: 'file' },
    ]);
    expect(await listFolder(root, '/inside', ALL)).toEqual([
      { name: 'a.mp4', type: 'file' },
      { name: 'deep', type: 'directory' },
    ]);
  });

  it.each([
    '/way-out',
    'way-out/',
    '/..',
    '/ads/../..',
    '/nothing',
    '/b.mp4',
    '/ads\\..',
    '/ads/\0',
    '/loop',
    '/nowhere',
  ])('is refused for %j', async (path) => {
    await expect(listFolder(root, path, ALL)).rejects.toMatchObject({ code: 'vod_path_not_found' });
  });

  it('is complete when listed in parts of any size', async () => {
    const allNames = (await listFolder(root, '/', ALL)).map(({ name }) => name);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), async (limit) => {
        const names: string[] = [];
        for (let from = ''; ;) {
          const part = (await listFolder(root, '/', { from, limit })).map(({ name }) => name);
          expect(part.length).toBeLessThanOrEqual(limit);
          if (part.length === 0) break;
          names.push(...part);
          from = part.at(-1) ?? '';
        }
        expect(names).toEqual(allNames);
      }),
      { numRuns: 20 },
    );
  });

  it('is listed after a name that need not exist', async () => {
    expect((await listFolder(root, '/', { from: 'b', limit: 2 })).map(({ name }) => name)).toEqual(['b.mp4', 'bunny']);
  });
});

describe('a path below a root', () => {
  const step = fc.oneof(
    fc.constantFrom('..', '.', '', '...', '..a', 'a..', '%2e%2e', '~', 'C:', '\\', '..\\', '\0', ...NAMES),
    fc.string({ maxLength: 6 }),
  );

  it('never leaves the root', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), fc.boolean(), (steps, isRooted) => {
        const path = `${isRooted ? '/' : ''}${steps.join('/')}`;
        const below = pathBelow(path);
        if (!below) {
          expect(path).toMatch(/(^|\/)\.\.(\/|$)|[\\\0]/);
          return;
        }
        const way = relative('/srv/clips', resolve('/srv/clips', ...below));
        expect(way === '..' || way.startsWith('../') || way.startsWith('/')).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('lists no names from outside on a real disk', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(step, fc.constantFrom('way-out', 'inside', 'ads', 'deep', 'outside', 'root')), {
          maxLength: 5,
        }),
        async (steps) => {
          const entries = await listFolder(root, steps.join('/'), ALL).catch(() => []);
          expect(entries.map(({ name }) => name)).not.toContain('secret.mp4');
          expect(entries.map(({ name }) => name)).not.toContain('outside');
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the files of a VOD location', () => {
  const context = {
    config: () => configOf(`vod clips { storage ${root}; storage s3://bucket/x; } vod here { storage root; }`),
    fileRoot: top,
    files: new FileTurns({ clock: systemClock, limit: 2 }),
  };
  const query = { prefix: 'clips', path: root, subpath: '/' };

  it('are listed for a configured folder', async () => {
    expect((await legacyListFiles(context, { ...query, limit: 1 })).files).toEqual([
      { name: 'Zoo', type: 'directory', prefix: 'clips' },
    ]);
    expect((await legacyListFiles(context, { ...query, path: `${root}/`, subpath: 'ads' })).files).toHaveLength(2);
    expect((await legacyListFiles(context, { prefix: 'here', path: 'root', subpath: '/' })).files).toHaveLength(7);
  });

  it.each([
    [{ prefix: 'other' }, 'vod_not_found'],
    [{ path: '/' }, 'vod_not_found'],
    [{ path: `${root}/ads` }, 'vod_not_found'],
    [{ path: `${root}/..` }, 'vod_not_found'],
    [{ path: 's3://bucket/x' }, 'vod_storage_not_supported'],
    [{ path: 'swift://bucket' }, 'vod_not_found'],
    [{ subpath: '/../outside' }, 'vod_path_not_found'],
    [{ limit: 10_001 }, 'bad_query'],
  ])('are refused for %j', async (change, code) => {
    await expect(legacyListFiles(context, { ...query, ...change })).rejects.toMatchObject({ code });
  });
});
