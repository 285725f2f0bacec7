import { posix } from 'node:path';

/**
 * Import cycles between files (strongly connected components of more than one file), each sorted.
 *
 * @param imports paths imported by each file; paths without an entry of their own are ignored
 */
export function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    stack.push(file);
    let low = index;
    for (const next of imports.get(file) ?? []) {
      if (!imports.has(next)) continue;
      const position = order.get(next);
      if (position === undefined) low = Math.min(low, visit(next));
      else if (!lowest.has(next)) low = Math.min(low, position);
    }
    if (low === index) {
      const group = stack.splice(stack.indexOf(file));
      for (const member of group) lowest.set(member, low);
      if (group.length > 1) circles.push(group.sort());
    }
    return low;
  };

  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/**
 * Imports between folders. A folder consists of the files directly in it, so a folder and its subfolder are two folders,
 * and may import each other in one direction only.
 *
 * @param imports paths imported by each file; paths that are no key are left out
 */
export function importsOfFolders(imports: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const folders = new Map<string, Set<string>>();
  for (const [file, paths] of imports) {
    const folder = posix.dirname(file);
    const targets = folders.get(folder) ?? new Set();
    folders.set(folder, targets);
    for (const path of paths) if (imports.has(path) && posix.dirname(path) !== folder) targets.add(posix.dirname(path));
  }
  return new Map([...folders].map(([folder, targets]) => [folder, [...targets]]));
}

/** Path of an import by a relative specifier; undefined for a package. */
export function importedPath(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier.replace(/\?.*$/, '')) : undefined;
}
