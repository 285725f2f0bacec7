import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { type FeedMessage, readFeedFrame, writeFeedHead } from '../../../src-preload/contract/index.ts';
import { FeedSwitch } from './feed-switch.ts';

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

function make(): { feeds: FeedSwitch; requests: FeedMessage[] } {
  const requests: FeedMessage[] = [];
  return { feeds: new FeedSwitch({ feed: (message) => requests.push(message) }), requests };
}

const OPEN = { kind: 'feed-open', feed: 1, name: 'cam', width: 640, height: 360 } as const;

function frame(feed: number): ArrayBuffer {
  const head = { kind: 'part', feed, track: 0, isIndependent: true, isGap: false, startMs: 1, mediaType: '' } as const;
  return writeFeedHead(head).buffer;
}

/** Feed numbers of the frames that a page received. */
function framesOf({ posted }: TestPort): (number | undefined)[] {
  return posted.flatMap((one) => (one instanceof ArrayBuffer ? [readFeedFrame(one)?.feed] : []));
}

it('FeedSwitch forwards requests of pages with its own numbers, and sends each page its feeds', () => {
  const { feeds, requests } = make();
  const [left, right] = [new TestPort(), new TestPort()];
  feeds.page().connect(left);
  feeds.page().connect(right);
  left.emit('message', { data: OPEN });
  right.emit('message', { data: { ...OPEN, name: 'other' } });
  right.emit('message', { data: { kind: 'feed-credit', feed: 1, count: 2 } });
  expect(requests).toEqual([
    { ...OPEN, feed: 0 },
    { ...OPEN, feed: 1, name: 'other' },
    { kind: 'feed-credit', feed: 1, count: 2 },
  ]);
  const bytes = frame(1);
  feeds.take({ kind: 'feed-frame', bytes });
  feeds.take({ kind: 'feed', feed: 0, state: 'begin', tracks: ['video/mp4'] });
  feeds.take({ kind: 'feed-frame', bytes: frame(7) });
  feeds.take({ kind: 'feed-frame', bytes: new ArrayBuffer(1) });
  expect(right.posted).toEqual([bytes]);
  expect(framesOf(right)).toEqual([1]);
  expect(left.posted.map(String)).toEqual([
    JSON.stringify({ kind: 'feed', feed: 1, state: 'begin', tracks: ['video/mp4'] }),
  ]);
});

it('FeedSwitch keeps the number of a feed when its tile changes its size', () => {
  const { feeds, requests } = make();
  const port = new TestPort();
  feeds.page().connect(port);
  for (const width of [640, 1280]) port.emit('message', { data: { ...OPEN, width } });
  expect(requests.map(({ feed }) => feed)).toEqual([0, 0]);
});

it('FeedSwitch drops invalid messages and messages of closed feeds', () => {
  const { feeds, requests } = make();
  const port = new TestPort();
  feeds.page().connect(port);
  port.emit('message', { data: { kind: 'feed-credit', feed: 1, count: 1e9 } });
  port.emit('message', { data: { kind: 'call', id: 1, name: 'streams.list', input: {} } });
  port.emit('message', { data: { kind: 'feed-credit', feed: 1, count: 1 } });
  port.emit('message', { data: { kind: 'feed-close', feed: 1 } });
  expect([port.isStarted, requests]).toEqual([true, []]);
});

it('FeedSwitch uses only the newest port of a page, and ends the feeds of an unloaded page', () => {
  const { feeds, requests } = make();
  const [first, second, other] = [new TestPort(), new TestPort(), new TestPort()];
  const page = feeds.page();
  page.connect(first);
  feeds.page().connect(other);
  for (const port of [first, other]) port.emit('message', { data: OPEN });
  page.connect(second);
  first.emit('message', { data: OPEN });
  second.emit('message', { data: OPEN });
  second.emit('close');
  page.reset();
  expect(first.isClosed).toBe(true);
  expect(requests.map(({ kind, feed }) => `${kind} ${feed}`)).toEqual([
    'feed-open 0',
    'feed-open 1',
    'feed-close 0',
    'feed-open 2',
    'feed-close 2',
  ]);
  for (const number of [0, 1, 2]) feeds.take({ kind: 'feed-frame', bytes: frame(number) });
  expect([framesOf(first), framesOf(second), framesOf(other)]).toEqual([[], [], [1]]);
});
