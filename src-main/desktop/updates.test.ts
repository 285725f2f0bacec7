import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { settled } from '../../tests/helpers/settled.ts';
import { updateFeed } from './update-feed.ts';
import { Updates } from './updates.ts';

const HOUR_MS = 3_600_000;

describe('the update feed', () => {
  it.each([
    [undefined, false, { kind: 'none' }],
    ['', true, { kind: 'built-in' }],
    ['off', true, { kind: 'none' }],
    ['https://updates.example.org/airdesk', false, { kind: 'address', url: 'https://updates.example.org/airdesk' }],
  ] as const)('for the configured address %s and the built-in feed %s is chosen', (named, isBuiltIn, feed) => {
    expect(updateFeed(named, isBuiltIn ? 'provider: generic\n' : undefined, 'linux')).toEqual(feed);
  });

  it.each(['http://updates.example.org', 'file:///tmp', 'updates', 'x'.repeat(100_000)])(
    'at the address %.40s is refused',
    (named) => {
      expect(updateFeed(named, 'provider: generic\n', 'linux')).toMatchObject({ kind: 'wrong' });
    },
  );

  it.each([
    ['publisherName:\n  - Example Ltd\nprovider: generic\n', 'built-in', 'address'],
    ['publisherName: Example Ltd\n', 'built-in', 'address'],
    ['provider: generic\n', 'wrong', 'wrong'],
    ['publisherName:\nprovider: generic\n', 'wrong', 'wrong'],
    [undefined, 'none', 'wrong'],
  ])('is refused on Windows without a publisher: %j', (maker, unnamed, named) => {
    expect(updateFeed(undefined, maker, 'win32').kind).toBe(unnamed);
    expect(updateFeed('https://updates.example.org', maker, 'win32').kind).toBe(named);
    expect(updateFeed('off', maker, 'win32').kind).toBe('none');
  });
});

describe('updates', () => {
  function stage(answers: readonly (string | undefined | Error)[]): {
    readonly clock: FakeClock;
    readonly updates: Updates;
    readonly lines: string[];
    readonly checkCount: () => number;
    readonly opened: () => number;
  } {
    const clock = new FakeClock();
    const lines: string[] = [];
    let [checkCount, opened] = [0, 0];
    const write = (message: string, fields?: object): void => {
      lines.push(`${message} ${JSON.stringify(fields)}`);
    };
    const updates = new Updates({
      clock,
      log: { debug: write, info: write, warn: write, error: write },
      open: () => {
        opened++;
        return Promise.resolve({
          download: () => {
            const answer = answers[checkCount++];
            return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
          },
        });
      },
    });
    return { clock, updates, lines, checkCount: () => checkCount, opened: () => opened };
  }

  it('are checked a minute after the start and every six hours, and reported once per version', async () => {
    const { clock, updates, lines, checkCount, opened } = stage([undefined, '1.2.0', '1.2.0']);
    updates.start();
    clock.advance(59_000);
    expect(opened()).toBe(0);
    for (const ms of [1000, 6 * HOUR_MS, 6 * HOUR_MS]) {
      clock.advance(ms);
      await settled();
    }
    expect([checkCount(), opened()]).toEqual([3, 1]);
    expect(lines).toEqual([
      'an update was downloaded and will be installed when the application quits {"version":"1.2.0"}',
    ]);
  });

  it('are checked again after a failure, and not after closing', async () => {
    const { clock, updates, lines, checkCount } = stage([new Error('net::ERR_INTERNET_DISCONNECTED'), '1.2.0']);
    updates.start();
    clock.advance(60_000);
    await settled();
    expect(lines).toEqual([
      'the check for updates failed and will be repeated later {"reason":"net::ERR_INTERNET_DISCONNECTED"}',
    ]);
    clock.advance(6 * HOUR_MS);
    await settled();
    expect(checkCount()).toBe(2);
    updates.close();
    clock.advance(48 * HOUR_MS);
    expect(checkCount()).toBe(2);
  });
});
