import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ExportDownloads } from './export-downloads.ts';

const FILE = {
  stream: 'cam',
  path: '/archive/.exports/cam/a.mp4',
  sizeBytes: 1,
  sha256: '',
  fromMs: 0,
  durationMs: 1,
  gaps: [],
  gapCount: 0,
  chapters: [],
};
const DONE = { id: 'e', status: 'done', files: [FILE], finishedMs: 5 } as const;

it('a file of a finished export has a download address for an hour, and other files have none', () => {
  const clock = new FakeClock();
  const downloads = new ExportDownloads(clock);
  const ticket = downloads.announce(DONE, 0);
  clock.advance(3_599_999);
  expect(downloads.find(ticket)).toMatchObject({ path: FILE.path });
  clock.advance(1);
  expect(downloads.find(ticket)).toBeUndefined();
  expect(() => downloads.announce(DONE, 1)).toThrow(/has 1 files/);
  expect(() => downloads.announce({ ...DONE, status: 'running' }, 0)).toThrow(/has not finished/);
});

it('the oldest of more than a thousand download addresses expires', () => {
  const downloads = new ExportDownloads(new FakeClock());
  const tickets = Array.from({ length: 1001 }, () => downloads.announce(DONE, 0));
  expect(downloads.find(tickets[0] ?? '')).toBeUndefined();
  expect(downloads.find(tickets[1] ?? '')).toMatchObject({ path: FILE.path });
});
