import { expect, it } from 'vitest';
import { readerView } from './reader-view.ts';

it('callers with read access only see which splice points start and end breaks, and no texts of backends', () => {
  const event = { event: 'splice_point', media: 'cam1', at: 1000, kind: 'out', duration: 20_000, note: 'secret' };
  expect(readerView(event)).toEqual({ ...event, note: '********' });
});
