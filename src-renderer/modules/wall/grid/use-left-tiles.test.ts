import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { effectScope, ref, type EffectScope } from 'vue';
import { useLeftTiles } from './use-left-tiles.ts';

let scope: EffectScope;
beforeEach(() => {
  vi.useFakeTimers();
  scope = effectScope();
});
afterEach(() => {
  scope.stop();
  vi.useRealTimers();
});

const page = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));

it('useLeftTiles keeps the tiles of a hidden page for 15 s, unless they are shown again', () => {
  const shown = ref(page('a', 'b'));
  const left = scope.run(() => useLeftTiles(shown));
  const names = (): unknown => left?.value.map(({ name }) => name);
  expect(names()).toEqual([]);
  shown.value = page('c');
  vi.advanceTimersByTime(10_000);
  shown.value = page('a', 'd');
  expect(names()).toEqual(['b', 'c']);
  vi.advanceTimersByTime(5000);
  expect(names()).toEqual(['c']);
  vi.advanceTimersByTime(10_000);
  expect(names()).toEqual([]);
});

it('useLeftTiles keeps a tile for 15 s after it was last hidden, and at most 16 tiles', () => {
  const shown = ref(page('a'));
  const left = scope.run(() => useLeftTiles(shown));
  for (const name of ['b', 'a', 'b']) {
    shown.value = page(name);
    vi.advanceTimersByTime(9000);
  }
  expect(left?.value.map(({ name }) => name)).toEqual(['a']);
  shown.value = page(...Array.from({ length: 64 }, (_, index) => `s${index}`));
  shown.value = page('z');
  expect(left?.value).toHaveLength(16);
});
