import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Package that is shipped. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** Licence as the author states it, usually an SPDX identifier. */
  readonly license: string;
  /** Licence text of the package; empty if it has none. */
  readonly text: string;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
}

/** Packages that contain Node for npm scripts. They are not shipped, because Electron contains Node. */
const NODE_ITSELF = /^node(-bin-setup|-(linux|darwin|win)-.*)?$/;

/**
 * Shipped part of `node_modules`: packages that run beside the build, and those whose code is in it.
 *
 * @param root folder of the lock file
 * @param bundled paths of files that are in the build
 */
export function shippedLicences(root: string, bundled: Iterable<string>): ShippedPackage[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const inBuild = new Set([...bundled].flatMap((file) => packageOf(file) ?? []));
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && (dev !== true || inBuild.has(nameOf(path))))
    .filter(([path]) => !NODE_ITSELF.test(nameOf(path)) && existsSync(join(root, path)))
    .map(([path, { version = '', license = '' }]) => ({
      name: nameOf(path),
      version,
      license: license || 'see its text',
      text: textOf(join(root, path)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Name of the package that contains a file. */
function packageOf(file: string): string | undefined {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function textOf(folder: string): string {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(file));
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8').trim();
}
