import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, importsOf, isTest } from './source-files.ts';

/** Rooms in which no file imports itself by way of others. */
const ROOMS = ['src-main/config'];

/** Files that reach themselves, each with the file that closes the circle. */
function cyclesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (file: string): void => {
    state.set(file, 'open');
    for (const target of imports.get(file) ?? []) {
      if (state.get(target) === 'open') found.push(`${file} → ${target}`);
      else if (!state.has(target) && imports.has(target)) visit(target);
    }
    state.set(file, 'done');
  };
  for (const file of imports.keys()) if (!state.has(file)) visit(file);
  return found;
}

describe('circles of imports', () => {
  it('are seen', () => {
    const chain = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', []],
    ]);
    expect(cyclesIn(chain)).toEqual([]);
    expect(cyclesIn(new Map([...chain, ['c', ['a']]]))).toEqual(['c → a']);
  });

  it.each(ROOMS)('are not in %s, by types neither', (room) => {
    const files = filesUnder(room, /\.ts$/).filter((file) => !isTest(file));
    expect(files.length).toBeGreaterThan(10);
    const imports = files.map(
      (file) =>
        [
          file,
          importsOf(file)
            .filter((specifier) => specifier.startsWith('.'))
            .map((specifier) => posix.join(posix.dirname(file), specifier)),
        ] as const,
    );
    expect(cyclesIn(new Map(imports))).toEqual([]);
  });
});
