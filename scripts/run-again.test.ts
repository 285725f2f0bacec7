import { expect, it } from 'vitest';
import { runAgain } from './run-again.ts';
import type { TestCounts } from './test-report.ts';

/** Result of a run in which these tests failed, each written as `file: test`. */
function counts(...failed: readonly string[]): TestCounts {
  const failures = failed.map((one) => {
    const [path = '', title = ''] = one.split(': ');
    return { path, title, message: 'too late' };
  });
  return { passed: 10, failed: failed.length, files: [], failures };
}

/** Repeats runs with these outcomes, one after another. */
async function again(first: TestCounts, ...runs: readonly TestCounts[]) {
  const commands: string[] = [];
  const { passed, failed, failures, unsteady } = await runAgain(first, (files) => {
    commands.push(files.join(' '));
    return Promise.resolve(runs[commands.length - 1] ?? counts());
  });
  const named = (all: typeof failures): string[] => all.map(({ path, title }) => `${path}: ${title}`);
  return { rerun: commands, passed, failed, failures: named(failures), unsteady: named(unsteady) };
}

it('repeats nothing if nothing failed, if too much failed, or if the failures are unknown', async () => {
  expect(await again(counts())).toMatchObject({ rerun: [], passed: 10, failed: 0 });
  const many = counts(...Array.from({ length: 21 }, (_, index) => `${index}: a`));
  expect(await again(many)).toMatchObject({ rerun: [], failed: 21 });
  expect(await again({ ...counts(), failed: 1 })).toMatchObject({ rerun: [], failed: 1 });
});

it('lists tests that pass only alone as unsteady', async () => {
  expect(await again(counts('a: 1', 'a: 2', 'b: 1'))).toEqual({
    rerun: ['a b'],
    passed: 13,
    failed: 0,
    failures: [],
    unsteady: ['a: 1', 'a: 2', 'b: 1'],
  });
});

it('fails a test that fails twice, and gives a file a third run in which another one failed', async () => {
  expect(await again(counts('a: 1', 'b: 1', 'c: 1'), counts('a: 1', 'a: 2', 'b: 2'))).toEqual({
    rerun: ['a b c', 'b'],
    passed: 11,
    failed: 2,
    failures: ['a: 1', 'a: 2'],
    unsteady: ['c: 1', 'b: 1', 'b: 2'],
  });
});

it('fails a file after three failed runs, whatever tests fail in it', async () => {
  const result = await again(counts('a: 1'), counts('a: 2'), counts('a: 3'));
  expect(result).toMatchObject({ rerun: ['a', 'a'], failed: 1, failures: ['a: 3'], unsteady: [] });
  const same = await again(counts('a: 1'), counts('a: 2'), counts('a: 1'));
  expect(same).toMatchObject({ failed: 1, failures: ['a: 1'], unsteady: [] });
});

it('fails if a run gives no report', async () => {
  expect(await again(counts('a: 1'), { ...counts(), failed: 1 })).toMatchObject({ failed: 2, failures: ['a: 1'] });
});
