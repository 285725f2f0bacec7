import { describe, expect, it } from 'vitest';
import { resolveInputPath } from './file-path.ts';

describe('resolveInputPath', () => {
  it.each([
    ['/films/a.ts', undefined, '/films/a.ts'],
    ['/films/a.ts', '/root', '/films/a.ts'],
    ['a.ts', '/root', '/root/a.ts'],
    ['b/../a.ts', '/root/', '/root/a.ts'],
    ['..a.ts', '/root', '/root/..a.ts'],
  ])('resolves %s under %s', (path, root, expected) => {
    expect(resolveInputPath(path, root)).toEqual({ path: expected });
  });

  it.each([
    ['../a.ts', '/root'],
    ['b/../../a.ts', '/root'],
    ['..', '/root'],
    ['a.ts', undefined],
    ['', '/root'],
    ['a\0.ts', '/root'],
  ])('refuses %j under %s', (path, root) => {
    expect(resolveInputPath(path, root)).toHaveProperty('refusal');
  });
});
