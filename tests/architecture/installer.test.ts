import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** What node-av depends on for parts of it that Airdesk does not use: WebRTC, and the download of FFmpeg. */
const UNUSED = ['werift', 'unzipper'];

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

// The lock file of npm, version 3.
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** Where a package finds one that it depends on. */
function placeOf(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return undefined;
  }
}

/** The packages that the application brings along, without some. */
function shipped(without: readonly string[]): ReadonlySet<string> {
  const places = new Set<string>();
  const add = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const place = without.includes(name) ? undefined : placeOf(from, name);
      if (place === undefined || places.has(place)) continue;
      places.add(place);
      const { dependencies, optionalDependencies } = packages[place] ?? {};
      add(place, Object.keys({ ...dependencies, ...optionalDependencies }));
    }
  };
  add('', Object.keys(packages['']?.dependencies ?? {}));
  return places;
}

describe('the installer', () => {
  it('leaves out what node-av needs for parts that Airdesk does not use', () => {
    const used = shipped(UNUSED);
    const unused = [...shipped([])]
      .filter((place) => !used.has(place))
      // What lies inside of another one goes with it.
      .filter((place) => place.lastIndexOf('node_modules/') === 0)
      .map((place) => place.slice('node_modules/'.length));
    const text = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8');
    const excluded = [...text.matchAll(/'!node_modules\/\{(@[^}]*)\}\/\*\*'/g)].flatMap(([, names = '']) =>
      names.split(','),
    );
    expect(excluded.sort()).toEqual(unused.sort());
    expect(unused).toContain('werift');
  });

  it('brings the parts of node-av that are imported', () => {
    for (const part of ['lib', 'constants']) {
      const folder = join(ROOT, 'node_modules/node-av/dist', part, 'index.js');
      expect(readFileSync(folder, 'utf8')).not.toMatch(/werift|unzipper/);
    }
  });
});
