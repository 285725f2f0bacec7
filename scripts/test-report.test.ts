import { expect, it } from 'vitest';
import { readReport } from './test-report.ts';

const PASSED = { status: 'passed', fullName: 'plays' };

function report(...testResults: object[]): string {
  const times = { startTime: 1000, endTime: 3500, message: '', status: 'passed', assertionResults: [PASSED] };
  return JSON.stringify({ numPassedTests: 7, testResults: testResults.map((file) => ({ ...times, ...file })) });
}

it('reads the number of passed tests and the duration of each file', () => {
  expect(readReport(report({ name: '/p/a.test.ts' }), '/p')).toEqual({
    passed: 7,
    failed: 0,
    files: [{ path: 'a.test.ts', ms: 2500 }],
    failures: [],
  });
});

it('lists failed tests', () => {
  const failed = { status: 'failed', fullName: 'stops', failureMessages: ['too late', 'and more'] };
  const { failed: count, failures } = readReport(
    report({ name: '/p/a.test.ts', status: 'failed', assertionResults: [PASSED, failed] }),
    '/p',
  );
  expect(count).toBe(1);
  expect(failures).toEqual([{ path: 'a.test.ts', title: 'stops', message: 'too late\nand more' }]);
});

it('lists a file that cannot be loaded, and a file whose hook failed after its tests passed', () => {
  const { failed, failures } = readReport(
    report(
      { name: '/p/a.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      { name: '/p/b.test.ts', status: 'failed' },
    ),
    '/p',
  );
  expect(failed).toBe(2);
  expect(failures).toEqual([
    { path: 'a.test.ts', title: '', message: 'no such module' },
    { path: 'b.test.ts', title: '', message: 'a hook failed: its error is above' },
  ]);
});

it('refuses a file that is not a report', () => {
  expect(() => readReport('', '/p')).toThrow();
  expect(() => readReport('{}', '/p')).toThrow();
});
