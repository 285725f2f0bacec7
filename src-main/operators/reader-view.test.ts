import { expect, it } from 'vitest';
import { readerView } from './reader-view.ts';

it('readerView hides the note of a splice point', () => {
  const event = { event: 'splice_point', media: 'cam1', at: 1000, kind: 'out', duration: 20_000, note: 'secret' };
  expect(readerView(event)).toEqual({ ...event, note: '********' });
});

it('readerView shows the publishing addresses of this server with the name of the stream', () => {
  const stream = { publish_urls: ['rtmp://127.0.0.1:1935/static/field/van'], url: 'rtmp://127.0.0.1/live/key' };
  expect(readerView(stream)).toEqual({ ...stream, url: 'rtmp://127.0.0.1/live/********' });
});
