import { expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import { StreamEntry } from './stream-entry.ts';

const END = { endMs: 0, resume: { nextMsn: 0, nextInitId: 0, isContinuation: true } };

it('what was delivered counts from each opening on, as what comes in does', () => {
  const settings = configOf('stream a { input fake://; }').streams.get('a');
  if (!settings) throw new Error('there is no stream a');
  const entry = new StreamEntry('a', settings, true);
  entry.opened(1, 1000);
  entry.output.bytesOut += 500;
  expect(entry.bytesOut).toBe(500);
  entry.ended(END, 1500);
  entry.opened(2, 2000);
  expect([entry.bytesOut, entry.output.bytesOut]).toEqual([0, 500]);
  entry.output.bytesOut += 20;
  expect(entry.bytesOut).toBe(20);
  entry.renewWindow();
  entry.output.bytesOut += 7;
  expect(entry.bytesOut).toBe(7);
});

it.each([
  ['0.5', '2'],
  ['2', '10'],
  ['10', '0.5'],
])(
  'media sequence numbers go on after a restart of the server with segments of %s and then %s seconds',
  (before, after) => {
    const nextMsn = (seconds: string, nowMs: number): number => {
      const settings = configOf(`stream a { input fake://; segment_duration ${seconds}; }`).streams.get('a');
      if (!settings) throw new Error('there is no stream a');
      return new StreamEntry('a', settings, true).spec(1, nowMs).resume.nextMsn;
    };
    const startMs = 1_800_000_000_000;
    const hourMs = 3_600_000;
    // An hour of segments that are just as long as they have to be.
    const used = nextMsn(before, startMs) + hourMs / (Number(before) * 1000);
    expect(nextMsn(after, startMs + hourMs)).toBeGreaterThanOrEqual(used);
    // Older players count with 31 bits; a machine without a clock begins in 1970.
    expect(nextMsn(after, Date.UTC(2044, 0, 1))).toBeLessThan(2 ** 31);
    expect(nextMsn(after, 0)).toBe(0);
  },
);
