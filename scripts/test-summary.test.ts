import { expect, it } from 'vitest';
import { failedTests, slowestFiles } from './test-summary.ts';

it('lists the slowest files, slowest first', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({ path: `${index}.test.ts`, ms: index * 1000 }));
  const lines = slowestFiles(files).trim().split('\n');
  expect(lines).toHaveLength(11);
  expect(lines[1]?.trim()).toBe('11.0 s  11.test.ts');
  expect(lines[10]?.trim()).toBe('2.0 s  2.test.ts');
  expect(files[0]?.path).toBe('0.test.ts');
});

it('prints nothing without files', () => {
  expect(slowestFiles([])).toBe('');
});

it('shows the start of the message of each failed test', () => {
  const message = Array.from({ length: 50 }, (_, index) => `line ${index} ${'x'.repeat(1000)}`).join('\n');
  const text = failedTests([
    { path: 'a.test.ts', title: 'a stream starts', message },
    { path: 'b.test.ts', title: '', message: 'cannot be loaded' },
  ]);
  expect(text).toContain('  a.test.ts: a stream starts\n      line 0 x');
  expect(text).toContain('  b.test.ts\n      cannot be loaded\n');
  expect(text).not.toContain('line 12 ');
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(700);
});

it('prints nothing if all tests passed', () => {
  expect(failedTests([])).toBe('');
});
