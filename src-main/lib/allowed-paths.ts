import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Error for a file outside the allowed folders. */
export class PathNotAllowedError extends Error {
  readonly code = 'path_not_allowed';

  constructor() {
    super('The file is neither in the data folder nor below a folder of allowed_paths.');
  }
}

/** Folders by the prefix that stands for them in paths, such as the prefix of a VOD location. */
export type NamedFolders = ReadonlyMap<string, readonly string[]>;

/** Folders with readable files, in addition to the data folder. */
export interface ReadableFolders {
  /** Absolute paths, or paths relative to the data folder. */
  readonly folders: readonly string[];
  /** Absolute paths. */
  readonly named: NamedFolders;
}

/** Resolves a path and its links; throws `PathNotAllowedError` for a file that may not be read. */
export type LocateFile = (path: string) => Promise<string>;

/** Checks that paths, with all links resolved, are in the allowed folders. */
export class AllowedPaths {
  readonly #dataFolder: string;
  #folders: readonly string[];
  #named: NamedFolders = new Map();

  /** @param folders in addition to the data folder, absolute or relative to it */
  constructor(dataFolder: string, folders: readonly string[] = []) {
    this.#dataFolder = dataFolder;
    this.#folders = folders;
  }

  /** Replaces the allowed folders besides the data folder. */
  set(folders: readonly string[], named: NamedFolders = new Map()): void {
    this.#folders = folders;
    this.#named = named;
  }

  /**
   * Resolves a path that starts with a folder prefix, in the first of its folders that contains it; undefined if none of them
   * contains it, or if the path would leave the folder.
   */
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

  /** Reports whether a path is in an allowed folder, after its links are resolved. The file need not exist. */
  async has(path: string): Promise<boolean> {
    return (await this.#allowed(path)) !== undefined;
  }

  /** Resolves a path from outside the configuration file. */
  readonly locate: LocateFile = async (path) => {
    const real = await this.#allowed(path);
    if (real === undefined) throw new PathNotAllowedError();
    return real;
  };

  /**
   * Resolves a path of the configuration. Any path is allowed, because the operator wrote it; but a path in an allowed
   * folder must not leave the folder through links.
   */
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

/** Resolves the links of a path. If it does not exist, resolves the links of its existing part. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(await realPath(folder), basename(path));
  }
}

/**
 * Splits a path below a root into names, such as `['a', 'b']` for `/a//b/`; undefined for a path that could leave the
 * root. Backslashes are refused, because they separate names on some systems.
 */
export function pathBelow(path: string): string[] | undefined {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  return steps.some((step) => step === '..' || /[\\\0]/.test(step)) ? undefined : steps;
}

/** Longest name that is a prefix of a path up to a slash. */
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

/** Reports whether a path equals a root or is below it. Compares names only; links must be resolved before. */
export function isInside(root: string, path: string): boolean {
  const fromRoot = relative(root, path);
  return fromRoot !== '..' && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}
