import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { FedWindow } from '../../../tests/helpers/fed-window.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { FEED_CREDIT, FEEDS_MAX, readFeedFrame, type FeedFrame } from '../../../src-preload/contract/feed.ts';
import { DeskFeeds } from './desk-feeds.ts';

let clock: FakeClock;
let fed: FedWindow;
let frames: FeedFrame[];
let states: string[];
let isFull: boolean;
let requests: number;
let feeds: DeskFeeds;

beforeEach(() => {
  clock = new FakeClock();
  fed = new FedWindow();
  [frames, states, isFull, requests] = [[], [], false, 0];
  feeds = new DeskFeeds(
    {
      clock,
      window: (name) => {
        requests++;
        if (name !== 'cam1') throw new AirdeskError('stream_not_found');
        return fed.window;
      },
    },
    {
      get isFull() {
        return isFull;
      },
      state: (feed, state) => states.push(`${feed} ${state.state === 'begin' ? 'begin' : state.error.code}`),
      frame: (head, media, done) => {
        const read = readFeedFrame(new Uint8Array(Buffer.concat([head, media])).buffer);
        if (read) frames.push(read);
        done();
      },
    },
  );
});

const open = (feed = 1, name = 'cam1'): void =>
  feeds.handle({ kind: 'feed-open', feed, name, width: 320, height: 180 });
const credit = (count: number, feed = 1): void => feeds.handle({ kind: 'feed-credit', feed, count });

describe('DeskFeeds', () => {
  it('do no work before the first tile is opened and after the last tile is closed', () => {
    fed.grow(4);
    clock.advance(5_000);
    expect(requests).toBe(0);
    open();
    feeds.handle({ kind: 'feed-close', feed: 1 });
    const before = [frames.length, requests];
    fed.grow(4);
    clock.advance(5_000);
    expect([frames.length, requests]).toEqual(before);
  });

  it('send init segments, parts from a key frame on, and then new parts', () => {
    fed.grow(2);
    open();
    expect(states).toEqual(['1 begin']);
    expect(frames.map(({ kind, track, isIndependent }) => [kind, track, isIndependent])).toEqual([
      ['init', 0, false],
      ['part', 0, true],
      ['init', 1, false],
      ['part', 1, true],
      ['part', 0, false],
      ['part', 1, true],
    ]);
    fed.grow();
    expect(frames).toHaveLength(8);
  });

  it('refuse a stream that does not exist, and more feeds than the maximum', () => {
    open(1, 'nothing');
    expect(states).toEqual(['1 stream_not_found']);
    for (let feed = 2; feed < FEEDS_MAX + 3; feed++) open(feed);
    expect(states.at(-1)).toBe(`${FEEDS_MAX + 2} too_many_calls`);
  });

  it('follow a stream to a new window', () => {
    fed.grow(2);
    open();
    fed = new FedWindow();
    fed.grow(1);
    clock.advance(500);
    expect(states).toEqual(['1 begin', '1 begin']);
  });

  it('wait while the desk is slow, buffer nothing, and continue with the newest key frame', () => {
    fed.grow(1);
    open();
    isFull = true;
    fed.grow(40);
    expect(frames).toHaveLength(4);
    isFull = false;
    clock.advance(500);
    expect(frames[4]).toMatchObject({ track: 0, isIndependent: true, isGap: true });
  });

  it('never exceed their credit, and send each part once and in order', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('grow' as const), count: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ kind: fc.constant('credit' as const), count: fc.integer({ min: 1, max: FEED_CREDIT }) }),
      fc.record({ kind: fc.constant('full' as const), count: fc.integer({ min: 0, max: 1 }) }),
      fc.record({ kind: fc.constant('look' as const), count: fc.constant(500) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        feeds.close();
        fed = new FedWindow();
        fed.grow(1);
        [frames, isFull] = [[], false];
        open();
        let left = FEED_CREDIT;
        let frameCount = frames.length;
        left -= frameCount;
        for (const { kind, count } of steps) {
          if (kind === 'grow') fed.grow(count);
          if (kind === 'credit') {
            left = Math.min(FEED_CREDIT, left + count);
            credit(count);
          }
          if (kind === 'full') isFull = count === 1;
          if (kind === 'look') clock.advance(count);
          left -= frames.length - frameCount;
          frameCount = frames.length;
          expect(left).toBeGreaterThanOrEqual(0);
        }
        isFull = false;
        for (let round = 0; round < 4; round++) credit(FEED_CREDIT);
        for (const track of [0, 1]) {
          const parts = frames.filter((frame) => frame.kind === 'part' && frame.track === track);
          for (const [index, { startMs, isGap, isIndependent }] of parts.entries()) {
            const beforeMs = parts[index - 1]?.startMs ?? startMs - 500;
            expect(startMs).toBeGreaterThan(beforeMs);
            if (startMs - beforeMs !== 500) expect([isGap, isIndependent]).toEqual([true, true]);
          }
          expect(parts.at(-1)?.startMs).toBe(fed.endMs - 500);
        }
      }),
      { numRuns: 60 },
    );
  });
});
