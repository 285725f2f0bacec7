import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { FeedMessage } from '../../../src-preload/contract/index.ts';
import { FeedRelay } from './feed-relay.ts';

class TestPort extends EventEmitter {
  readonly posted: unknown[] = [];
  isStarted = false;
  isClosed = false;

  start(): void {
    this.isStarted = true;
  }
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.emit('close');
  }
}

function make(): { relay: FeedRelay; wanted: (FeedMessage | 'end')[] } {
  const wanted: (FeedMessage | 'end')[] = [];
  const relay = new FeedRelay({ feed: (message) => wanted.push(message), endFeeds: () => wanted.push('end') });
  return { relay, wanted };
}

const CLOSE = { kind: 'feed-close', feed: 1 } as const;

it('carries what the page wants, and frames back as they are', () => {
  const { relay, wanted } = make();
  const port = new TestPort();
  relay.connect(port);
  port.emit('message', { data: CLOSE });
  port.emit('message', { data: { kind: 'feed-credit', feed: 1, count: 1e9 } });
  port.emit('message', { data: { kind: 'call', id: 1, name: 'streams.list', input: {} } });
  expect([port.isStarted, wanted]).toEqual([true, [CLOSE]]);
  const bytes = new ArrayBuffer(4);
  relay.take({ kind: 'feed-frame', bytes });
  relay.take({ kind: 'feed', feed: 1, state: 'begin', tracks: ['video/mp4'] });
  expect(port.posted[0]).toBe(bytes);
  expect(JSON.parse(String(port.posted[1]))).toEqual({ kind: 'feed', feed: 1, state: 'begin', tracks: ['video/mp4'] });
});

it('hears the newest port alone, and ends all feeds of a page that goes', () => {
  const { relay, wanted } = make();
  const [first, second] = [new TestPort(), new TestPort()];
  relay.connect(first);
  relay.connect(second);
  expect([first.isClosed, wanted]).toEqual([true, ['end']]);
  first.emit('message', { data: CLOSE });
  second.emit('close');
  expect(wanted).toEqual(['end', 'end']);
  relay.reset();
  relay.take({ kind: 'feed-frame', bytes: new ArrayBuffer(1) });
  expect([wanted.length, second.posted]).toEqual([2, []]);
});
