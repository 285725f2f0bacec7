import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filesUnder, textOf } from './source-files.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Dependencies of node-av for parts that Airdesk does not use: WebRTC, and the download of FFmpeg. */
const UNUSED = ['werift', 'unzipper'];

/** Fields of the electron-builder configuration used here. */
interface Configuration {
  readonly publish: null;
  readonly files: readonly string[];
  readonly asarUnpack: readonly string[];
  readonly electronFuses: Readonly<Record<string, boolean>>;
  readonly fileAssociations: readonly { readonly ext: string }[];
  readonly linux: System;
  readonly mac: System & { readonly hardenedRuntime: boolean; readonly entitlements: string };
  readonly win: System;
  readonly nsis: { readonly deleteAppDataOnUninstall: boolean; readonly license: string };
}

/** Settings of one system. */
interface System {
  readonly target: readonly string[];
  readonly icon: string;
  readonly artifactName: string;
  readonly files?: readonly string[];
}

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

// The lock file of npm, version 3.
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** Path of a package's dependency. */
function pathOf(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

/** Paths of the packages shipped with the application. @param without packages that are left out */
function shipped(without: readonly string[]): ReadonlySet<string> {
  const places = new Set<string>();
  const add = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const path = without.includes(name) ? undefined : pathOf(from, name);
      if (path === undefined || places.has(path)) continue;
      places.add(path);
      const { dependencies, optionalDependencies } = packages[path] ?? {};
      add(path, Object.keys({ ...dependencies, ...optionalDependencies }));
    }
  };
  add('', Object.keys(packages['']?.dependencies ?? {}));
  return places;
}

// electron-builder checks this file when it packs.
const configuration = parse(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')) as Configuration;

describe('the installers', () => {
  it('are built for three systems with icons, and their names contain version, system and processor', () => {
    const { linux, mac, win } = configuration;
    expect([linux.target, mac.target, win.target]).toEqual([['AppImage', 'deb'], ['dmg', 'zip'], ['nsis']]);
    for (const system of [linux, mac, win]) {
      expect(existsSync(join(ROOT, system.icon))).toBe(true);
      for (const part of ['version', 'arch', 'ext']) expect(system.artifactName).toContain(`\${${part}}`);
      // Without a list of files, the whole project folder would be included.
      expect(system.files).toBeUndefined();
    }
    const { width, height } = sizeOf('build/icon.png');
    expect([width, height]).toEqual([1024, 1024]);
  });

  it('prevent a binary from running other programs, and do not check for updates automatically', () => {
    expect(configuration.electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    });
    expect(configuration.publish).toBeNull();
    expect(configuration.mac.hardenedRuntime).toBe(true);
    expect(existsSync(join(ROOT, configuration.mac.entitlements))).toBe(true);
  });

  it('include the complete licence, and no AAC codec that is incompatible with the GPL', () => {
    const licence = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
    expect(licence).toMatch(/GNU GENERAL PUBLIC LICENSE\s+Version 3, 29 June 2007/);
    expect(licence).toContain('END OF TERMS AND CONDITIONS');
    const codec = filesUnder('src-main/codec', /\.ts$/);
    expect(codec.length).toBeGreaterThan(10);
    expect(codec.filter((file) => /fdk/i.test(textOf(file)))).toEqual([]);
  });

  it('keep the files of the operator, and register the configuration file for opening by a double click', () => {
    expect(configuration.nsis.deleteAppDataOnUninstall).toBe(false);
    expect(configuration.nsis.license).toBe('LICENSE');
    expect(configuration.fileAssociations.map(({ ext }) => ext)).toEqual(['airdesk']);
  });
});

/** Width and height of a PNG, from its IHDR (PNG, 11.2.1). */
function sizeOf(path: string): { readonly width: number; readonly height: number } {
  const bytes = readFileSync(join(ROOT, path));
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

describe('the packaged dependencies', () => {
  it('exclude dependencies of node-av that Airdesk does not use', () => {
    const used = shipped(UNUSED);
    const unused = [...shipped([])]
      .filter((path) => !used.has(path))
      // A nested package is shipped with its parent.
      .filter((path) => path.lastIndexOf('node_modules/') === 0)
      .map((path) => path.slice('node_modules/'.length));
    const text = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8');
    const excluded = [...text.matchAll(/'!node_modules\/\{(@[^}]*)\}\/\*\*'/g)].flatMap(([, names = '']) =>
      names.split(','),
    );
    expect(excluded.sort()).toEqual(unused.sort());
    expect(unused).toContain('werift');
  });

  it('work without the excluded parts of node-av', () => {
    for (const part of ['lib', 'constants']) {
      const folder = join(ROOT, 'node_modules/node-av/dist', part, 'index.js');
      expect(readFileSync(folder, 'utf8')).not.toMatch(/werift|unzipper/);
    }
  });
});
