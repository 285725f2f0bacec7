import { expect, it } from 'vitest';
import { readerView } from './reader-view.ts';

it('readerView hides the note of a splice point', () => {
  const event = { event: 'splice_point', media: 'cam1', at: 1000, kind: 'out', duration: 20_000, note: 'secret' };
  expect(readerView(event)).toEqual({ ...event, note: '********' });
});
