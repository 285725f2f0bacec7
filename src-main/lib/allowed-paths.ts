import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** A file that may not be read from here: it lies in no allowed folder. */
export class PathNotAllowedError extends Error {
  readonly code = 'path_not_allowed';

  constructor() {
    super('The file is neither in the data folder nor below a folder of allowed_paths.');
  }
}

/** Folders by the names that begin the paths of their files, such as the prefixes of VOD locations. */
export type NamedFolders = ReadonlyMap<string, readonly string[]>;

/** The folders that files may be read from, beside the data folder. */
export interface ReadableFolders {
  /** Absolute, or under the data folder. */
  readonly folders: readonly string[];
  /** Absolute paths. */
  readonly named: NamedFolders;
}

/** Finds where a path leads to; raises `PathNotAllowedError` for a file that may not be read. */
export type LocateFile = (path: string) => Promise<string>;

/** The folders that files are read from, by where paths lead to in the end. */
export class AllowedPaths {
  readonly #dataFolder: string;
  #folders: readonly string[];
  #named: NamedFolders = new Map();

  /** @param folders beside the data folder, absolute or under it */
  constructor(dataFolder: string, folders: readonly string[] = []) {
    this.#dataFolder = dataFolder;
    this.#folders = folders;
  }

  /** Allows other folders than before, beside the data folder. */
  set(folders: readonly string[], named: NamedFolders = new Map()): void {
    this.#folders = folders;
    this.#named = named;
  }

  /** Where a path leads that begins with the name of folders, in the first of them that has it; undefined where none has, or it would lead out. */
  readonly locateNamed = async (path: string): Promise<string | undefined> => {
    const prefix = longestPrefix(this.#named, path);
    const steps = prefix === undefined ? undefined : pathBelow(path.slice(prefix.length + 1));
    if (prefix === undefined || !steps || steps.some((step) => step.startsWith('.'))) return undefined;
    for (const root of this.#named.get(prefix) ?? []) {
      const paths = await Promise.all([realpath(root), realpath(join(root, ...steps))]).catch(() => undefined);
      if (paths && isInside(...paths)) return paths[1];
    }
    return undefined;
  };

  /** Whether a path leads into an allowed folder. It need not be there yet. */
  async has(path: string): Promise<boolean> {
    return (await this.#allowed(path)) !== undefined;
  }

  /** Where a path leads that did not come from the configuration file. */
  readonly locate: LocateFile = async (path) => {
    const real = await this.#allowed(path);
    if (real === undefined) throw new PathNotAllowedError();
    return real;
  };

  /** Where a path of the configuration leads. Its owner may name any path; what lies in an allowed folder does not lead out of it, even through links. */
  readonly locateConfigured: LocateFile = async (path) => {
    const full = resolve(this.#dataFolder, path);
    const roots = this.#roots();
    const isInRoot =
      roots.some((root) => isInside(root, full)) || (await realPaths(roots)).some((root) => isInside(root, full));
    return isInRoot ? this.locate(full) : full;
  };

  async #allowed(path: string): Promise<string | undefined> {
    const real = await realPath(resolve(this.#dataFolder, path));
    return (await realPaths(this.#roots())).some((root) => isInside(root, real)) ? real : undefined;
  }

  #roots(): string[] {
    return [this.#dataFolder, ...this.#folders].map((root) => resolve(this.#dataFolder, root));
  }
}

function realPaths(paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map(realPath));
}

/** Where a path leads to in the end; of what is not there yet, where the part leads that is. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(await realPath(folder), basename(path));
  }
}

/**
 * The steps of a path below a root, such as `['a', 'b']` for `/a//b/`; undefined for a path that could lead out of it.
 * Backslashes are refused, because they part names on some systems.
 */
export function pathBelow(path: string): string[] | undefined {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  return steps.some((step) => step === '..' || /[\\\0]/.test(step)) ? undefined : steps;
}

/** The longest name that a path begins with, up to a slash. */
export function longestPrefix(
  named: Pick<ReadonlyMap<string, unknown>, 'has' | 'size'>,
  path: string,
): string | undefined {
  if (named.size === 0) return undefined;
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const prefix = path.slice(0, end);
    if (named.has(prefix)) return prefix;
  }
  return undefined;
}

/** Whether a path is that of a root or lies below it, by their names alone: links are to be resolved before. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
