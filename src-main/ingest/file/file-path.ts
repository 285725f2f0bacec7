import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Path of the input's file, or the reason for refusal. */
export type ResolvedPath = { readonly path: string } | { readonly refusal: string };

/** Resolves the path of an input. An absolute path stays unchanged; a relative path is below `root`, which it cannot leave. */
export function resolveInputPath(path: string, root?: string): ResolvedPath {
  if (path === '' || path.includes('\0')) return { refusal: 'The path of the file is empty or holds a zero byte.' };
  if (isAbsolute(path)) return { path: resolve(path) };
  if (root === undefined)
    return { refusal: `The path ${path} is not absolute, and relative paths have no base folder here.` };
  const full = resolve(root, path);
  const inside = relative(resolve(root), full);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? { refusal: `The path ${path} leads out of the folder of the inputs.` } : { path: full };
}
