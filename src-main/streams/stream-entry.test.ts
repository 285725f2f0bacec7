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
