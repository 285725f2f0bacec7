import { isAbsolute } from 'node:path';
import { configJsonTexts } from '../config/config-json.ts';
import type { Config } from '../config/schema/config.ts';
import { AllowedPaths } from '../lib/allowed-paths.ts';
import { runInTurns } from '../lib/turns.ts';
import type { ChangedBy } from '../operators/caller.ts';
import { pointerOf, ValueRefusal } from './configuration-error.ts';

/** Settings with free text, which may begin like a path. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'comment', 'provider', 'meta', 'labels']);
/** Addresses of files. The part after `?` does not belong to the path. */
const FILE_ADDRESS = /^(file|playlist|log|jsonlog):\/\/([^?#]*)/i;

/**
 * Raises `ValueRefusal` (`path_not_allowed`) if a change through an API names a new file outside the data folder and
 * `allowed_paths`. The owner of the configuration file and the user of the window may name any file. A version of the
 * history may name its files again, because its author was allowed to. It must not widen `allowed_paths`, which the
 * owner may have narrowed since.
 */
export async function checkPaths(
  before: Config,
  after: Config,
  by: ChangedBy,
  { dataFolder, wasInForce = false }: { readonly dataFolder: string; readonly wasInForce?: boolean },
): Promise<void> {
  if (by.fromWhere === 'desk') return;
  const isWider = after.allowedPaths.some((path) => !before.allowedPaths.includes(path));
  if (isWider || (!wasInForce && after.allowedPaths.length < before.allowedPaths.length))
    throw new ValueRefusal('path_not_allowed', 'allowed_paths can be changed only in the configuration file', [
      'allowed_paths',
    ]);
  if (wasInForce) return;
  const allowed = new AllowedPaths(dataFolder, before.allowedPaths);
  let earlier: ReadonlyMap<string, string> | undefined;
  for (const [use, path] of await runInTurns(pathsOf(after, before))) {
    if (await allowed.has(path)) continue;
    earlier ??= await runInTurns(pathsOf(before));
    if (!earlier.has(use))
      throw new ValueRefusal(
        'path_not_allowed',
        `${path.slice(0, 200)} is neither in the data folder nor in a folder of allowed_paths`,
        await newLocationOf(path, before, after),
      );
  }
}

/** Location of a new path in a configuration; empty if the previous configuration already has the path at this location. */
async function newLocationOf(path: string, before: Config, after: Config): Promise<readonly string[]> {
  const earlier = new Set((await runInTurns(locationsOf(before, path))).map(pointerOf));
  return (await runInTurns(locationsOf(after, path))).find((location) => !earlier.has(pointerOf(location))) ?? [];
}

/** All locations of a path in the JSON of a configuration, in steps. */
function* locationsOf(config: Config, path: string): Generator<void, readonly string[][]> {
  const texts: string[] = [];
  for (const text of configJsonTexts(config, { inputsKey: 'inputs' })) {
    texts.push(text);
    yield;
  }
  const found: string[][] = [];
  const visit = (value: unknown, location: readonly string[]): void => {
    if (typeof value === 'string' && value.split(/[?#]/, 1)[0]?.endsWith(path)) found.push([...location]);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) visit(item, [...location, key]);
  };
  visit(JSON.parse(texts.join('')), []);
  return found;
}

/**
 * Paths in a configuration by purpose and path, in steps: a path allowed for a certificate is not allowed for a playlist.
 * @param before previous configuration, whose unchanged blocks are left out
 */
function* pathsOf(config: Config, before?: Config): Generator<void, ReadonlyMap<string, string>> {
  const paths = new Map<string, string>();
  for (const [name, part] of Object.entries(config)) {
    if (name === 'allowedPaths') continue;
    const earlier = valuesOf(before?.[name as keyof Config]);
    for (const [key, value] of valuesOf(part)) {
      // A change makes new objects only for the blocks that it changes.
      if (typeof value !== 'object' || value !== earlier.get(key)) collect(value, name, paths);
      yield;
    }
  }
  return paths;
}

function valuesOf(part: unknown): ReadonlyMap<string, unknown> {
  return part instanceof Map ? (part as ReadonlyMap<string, unknown>) : new Map([['', part]]);
}

function collect(value: unknown, name: string, paths: Map<string, string>): void {
  if (TEXTS.has(name)) return;
  if (typeof value === 'string') {
    const [, scheme = name, path = isPath(value, name) ? value : ''] = FILE_ADDRESS.exec(value) ?? [];
    if (path !== '') paths.set(`${scheme} ${path}`, path);
  } else if (Array.isArray(value)) for (const item of value) collect(item, name, paths);
  else if (value instanceof Map)
    for (const item of (value as ReadonlyMap<string, unknown>).values()) collect(item, name, paths);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) collect(item, key, paths);
}

function isPath(value: string, name: string): boolean {
  return name === 'sdp' || isAbsolute(value) || value.startsWith('~') || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(value);
}
