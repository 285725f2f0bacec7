import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LAYERS } from './layers.ts';
import { ROOT, filesUnder, isTest, textOf } from './source-files.ts';

/** Layers outside src-main. */
const ELSEWHERE = ['contract', 'preload', 'renderer'];

const folders = readdirSync(join(ROOT, 'src-main'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && filesUnder(`src-main/${entry.name}`, /\.ts$/).length > 0)
  .map((entry) => entry.name);

const topFiles = readdirSync(join(ROOT, 'src-main')).filter((name) => name.endsWith('.ts') && !isTest(name));

it.each(['src-preload', 'src-renderer', 'tests'])(
  '%s/README.md has at most 60 lines and names each subfolder',
  (folder) => {
    const page = textOf(`${folder}/README.md`);
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    const inner = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(inner.map(({ name }) => name).filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  },
);

describe('the map src-main/README.md', () => {
  it('lists exactly the folders of the desk', () => {
    const inner = readdirSync(join(ROOT, 'src-renderer'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const mapped = LAYERS.map((layer) => layer.name).filter((name) => name.startsWith('desk/'));
    expect(mapped.toSorted()).toEqual(inner.map(({ name }) => `desk/${name}`).toSorted());
  });

  it('lists exactly the folders and files of src-main', () => {
    const mapped = LAYERS.map((layer) => layer.name).filter(
      (name) => !ELSEWHERE.includes(name) && !name.startsWith('desk/'),
    );
    expect(mapped.toSorted()).toEqual([...folders, ...topFiles].toSorted());
  });

  it.each(folders)('refers to a README of at most 60 lines in %s', (folder) => {
    const page = `src-main/${folder}/README.md`;
    expect(existsSync(join(ROOT, page)), `${page} is missing`).toBe(true);
    expect(textOf(page).trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });
});
