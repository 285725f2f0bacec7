import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCommandLine, USAGE } from './command-line.ts';

const NOTHING = { kind: 'serve', config: undefined, data: undefined, logLevel: undefined };

it.each([
  ['', NOTHING],
  ['--config a.conf --data /srv/airdesk', { ...NOTHING, config: 'a.conf', data: '/srv/airdesk' }],
  ['--config=-a --log-level warn', { ...NOTHING, config: '-a', logLevel: 'warn' }],
  ['--data a --data b', { ...NOTHING, data: 'b' }],
  ['--hash-password', { kind: 'hash-password' }],
  ['--config a.conf --help', { kind: 'help' }],
  ['-h', { kind: 'help' }],
])('parses %j', (line, expected) => {
  expect(readCommandLine(line.split(' ').filter(Boolean))).toEqual(expected);
});

it.each([
  ['--cofnig a.conf', 'unknown option --cofnig; did you mean --config?'],
  ['--verbose', 'unknown option --verbose'],
  ['-x', 'unknown option -x'],
  ['--help --no-such', 'unknown option --no-such'],
  ['--constructor', 'unknown option --constructor'],
  ['--config', '--config needs a value'],
  ['--config= --data a', '--config needs a value'],
  ['--config --data a', '--config needs a value'],
  ['--hash-password=secret', '--hash-password takes no value'],
  ['--log-level loud', 'unknown log level loud; use debug, info, warn, error'],
  ['airdesk.conf', 'unexpected argument airdesk.conf; options start with --'],
  ['--data a -- b', 'unexpected argument b; options start with --'],
])('reports the error in %j', (line, message) => {
  expect(readCommandLine(line.split(' '))).toEqual({ kind: 'wrong', message });
});

it('returns a result for any arguments', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom('--', '-', '--config', '--data=', '--help', '--no-config', '-hx'));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (words) => {
      expect(['serve', 'hash-password', 'help', 'wrong']).toContain(readCommandLine(words).kind);
    }),
  );
});

it('describes every option in the usage', () => {
  for (const option of ['config', 'data', 'log-level', 'hash-password', 'help']) {
    expect(USAGE).toContain(`  --${option} `);
  }
});
