import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Root folder of the project. */
export const ROOT = join(import.meta.dirname, '..');

/**
 * Environment for the tools of the project. The programs and the Node of the project come first in PATH. Node caches compiled
 * code for later processes: tests start hundreds of servers, media threads and codec processes with the same modules, and the
 * cache halves the processor time of their starts.
 */
export function toolEnv(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return {
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/airdesk-compiled'),
    ...process.env,
    PATH: join(ROOT, 'node_modules/.bin') + delimiter + (process.env['PATH'] ?? ''),
    ...extra,
  };
}

/** Sources of a build. */
const SOURCES = [
  'src-main',
  'src-preload',
  'src-renderer',
  'docs',
  'resources/docs',
  'scripts/docs-site.ts',
  'electron.vite.config.ts',
  'package.json',
];
/** One file of each of the three bundles. A build writes all of them. */
const BUNDLES = ['out/main/index.js', 'out/preload/index.cjs', 'out/renderer/index.html'];

function newestMs(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  // Pages of `docs` are part of the build, READMEs of folders are not.
  if (!stat.isDirectory()) return /(\.test\.ts|README\.md)$/.test(path) ? 0 : stat.mtimeMs;
  // A folder changes when a file in it is removed.
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestMs(join(path, name))), stat.mtimeMs);
}

/** Reports whether a build exists and is newer than all sources. */
export function isBuildFresh(): boolean {
  const bundles = BUNDLES.map((file) => join(ROOT, file));
  if (!bundles.every((file) => existsSync(file))) return false;
  const builtMs = Math.min(...bundles.map((file) => statSync(file).mtimeMs));
  return SOURCES.every((source) => newestMs(join(ROOT, source)) <= builtMs);
}
