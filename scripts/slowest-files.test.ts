import { expect, it } from 'vitest';
import { slowestFiles } from './slowest-files.ts';

it('names the slowest files, the slowest first', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({ path: `${index}.test.ts`, ms: index * 1000 }));
  const lines = slowestFiles(files).trim().split('\n');
  expect(lines).toHaveLength(11);
  expect(lines[1]?.trim()).toBe('11.0 s  11.test.ts');
  expect(lines[10]?.trim()).toBe('2.0 s  2.test.ts');
  expect(files[0]?.path).toBe('0.test.ts');
});

it('says nothing where nothing ran', () => {
  expect(slowestFiles([])).toBe('');
});
