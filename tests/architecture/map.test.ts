import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOMS } from './layers.ts';
import { ROOT, filesUnder, isTest, textOf } from './source-files.ts';

/** Rooms of the table that do not lie in src-main. */
const ELSEWHERE = ['contract', 'preload', 'renderer'];

const folders = readdirSync(join(ROOT, 'src-main'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && filesUnder(`src-main/${entry.name}`, /\.ts$/).length > 0)
  .map((entry) => entry.name);

const topFiles = readdirSync(join(ROOT, 'src-main')).filter((name) => name.endsWith('.ts') && !isTest(name));

describe('the map src-main/README.md', () => {
  it('has every room and every file beside the rooms, and nothing more', () => {
    const mapped = ROOMS.map((room) => room.name).filter((name) => !ELSEWHERE.includes(name));
    expect(mapped.toSorted()).toEqual([...folders, ...topFiles].toSorted());
  });

  it.each(folders)('finds a page of at most 40 lines in %s', (folder) => {
    const page = `src-main/${folder}/README.md`;
    expect(existsSync(join(ROOT, page)), `${page} is missing`).toBe(true);
    expect(textOf(page).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });
});
