import { expect, it } from 'vitest';
import { runAgain } from './run-again.ts';
import type { TestCounts } from './test-report.ts';

/** What a run gives in which these tests failed, each written as `file: test`. */
function counts(...failed: readonly string[]): TestCounts {
  const failures = failed.map((one) => {
    const [path = '', title = ''] = one.split(': ');
    return { path, title, message: 'too late' };
  });
  return { passed: 10, failed: failed.length, files: [], failures };
}

/** Runs again with these outcomes, one after the other. */
async function again(first: TestCounts, ...runs: readonly TestCounts[]) {
  const asked: string[] = [];
  const { passed, failed, failures, unsteady } = await runAgain(first, (files) => {
    asked.push(files.join(' '));
    return Promise.resolve(runs[asked.length - 1] ?? counts());
  });
  const named = (all: typeof failures): string[] => all.map(({ path, title }) => `${path}: ${title}`);
  return { asked, passed, failed, failures: named(failures), unsteady: named(unsteady) };
}

it('runs nothing again where nothing failed, where too much did, or where it is not known what', async () => {
  expect(await again(counts())).toMatchObject({ asked: [], passed: 10, failed: 0 });
  const many = counts(...Array.from({ length: 21 }, (_, index) => `${index}: a`));
  expect(await again(many)).toMatchObject({ asked: [], failed: 21 });
  expect(await again({ ...counts(), failed: 1 })).toMatchObject({ asked: [], failed: 1 });
});

it('names what passes alone as unsteady', async () => {
  expect(await again(counts('a: 1', 'a: 2', 'b: 1'))).toEqual({
    asked: ['a b'],
    passed: 13,
    failed: 0,
    failures: [],
    unsteady: ['a: 1', 'a: 2', 'b: 1'],
  });
});

it('has a test fail that fails twice, and gives a file a third run of which another one failed', async () => {
  expect(await again(counts('a: 1', 'b: 1', 'c: 1'), counts('a: 1', 'a: 2', 'b: 2'))).toEqual({
    asked: ['a b c', 'b'],
    passed: 11,
    failed: 2,
    failures: ['a: 1', 'a: 2'],
    unsteady: ['c: 1', 'b: 1', 'b: 2'],
  });
});

it('has a file fail that fails three times, whatever it is that fails', async () => {
  const result = await again(counts('a: 1'), counts('a: 2'), counts('a: 3'));
  expect(result).toMatchObject({ asked: ['a', 'a'], failed: 1, failures: ['a: 3'], unsteady: [] });
  const same = await again(counts('a: 1'), counts('a: 2'), counts('a: 1'));
  expect(same).toMatchObject({ failed: 1, failures: ['a: 1'], unsteady: [] });
});

it('fails where a run gives no report', async () => {
  expect(await again(counts('a: 1'), { ...counts(), failed: 1 })).toMatchObject({ failed: 2, failures: ['a: 1'] });
});
