import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FedWindow } from '../../tests/helpers/fed-window.ts';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { readChunk } from '../media/containers/isobmff/chunk-reader.ts';
import { LiveFeed, type LiveItem } from './live-feed.ts';

const TILE = { width: 320, height: 180 };

/** All available items: `begin`, `init 0`, or `track@start` in half seconds since the start of the window. */
function itemsOf(feed: LiveFeed): string[] {
  const items: string[] = [];
  for (let item = feed.next(); item; item = feed.next()) items.push(nameOf(item));
  return items;
}

function nameOf(item: LiveItem): string {
  if (item.kind === 'begin') return `begin ${item.mediaTypes.map((type) => type.split('/')[0]).join()}`;
  if (item.kind === 'init') return `init ${item.track}`;
  return `${item.isGap ? 'gap ' : ''}${item.track}@${(item.startMs - 1_000_000) / 500}`;
}

describe('LiveFeed', () => {
  it('starts with the newest key frame and the audio from that time, then yields new media', () => {
    const fed = new FedWindow();
    const feed = new LiveFeed(fed.window, TILE);
    expect(itemsOf(feed)).toEqual([]);
    fed.grow(6);
    expect(itemsOf(feed)).toEqual(['begin video,audio', 'init 0', '0@4', 'init 1', '1@4', '0@5', '1@5']);
    expect(itemsOf(feed)).toEqual([]);
    fed.grow(2);
    expect(itemsOf(feed)).toEqual(['0@6', '1@6', '0@7', '1@7']);
  });

  it('starts with video and audio at any moment, even when a segment of one track has just started', () => {
    const fed = new FedWindow();
    fed.grow(4);
    const names = new Set<string>();
    fed.window.onChange(() => {
      const item = new LiveFeed(fed.window, TILE).next();
      names.add(item ? nameOf(item) : 'nothing');
    });
    fed.grow(4);
    expect([...names]).toEqual(['begin video,audio']);
  });

  it('skips to the newest key frame after more than a second without reading', () => {
    const fed = new FedWindow();
    const feed = new LiveFeed(fed.window, TILE);
    fed.grow(2);
    itemsOf(feed);
    fed.grow(8);
    expect(itemsOf(feed)).toEqual(['gap 0@8', 'gap 1@8', '0@9', '1@9']);
    // All segments known to the feed have left the window.
    fed.grow(50);
    expect(itemsOf(feed)[0]).toBe('gap 0@56');
  });

  it('skips nothing within one GOP, because there is no newer key frame', () => {
    const fed = new FedWindow();
    const feed = new LiveFeed(fed.window, TILE);
    fed.grow(1);
    itemsOf(feed);
    fed.grow(3);
    expect(itemsOf(feed)).toEqual(['0@1', '1@1', '0@2', '1@2', '0@3', '1@3']);
  });

  it('sends an init segment after a format change, and starts again when the tracks change', () => {
    const fed = new FedWindow();
    const feed = new LiveFeed(fed.window, TILE);
    fed.grow(4);
    itemsOf(feed);
    fed.change([madeVideo('v1', 1), madeAudio()]);
    fed.grow(1);
    expect(itemsOf(feed)).toEqual(['init 0', '0@4', 'init 1', '1@4']);
    fed.change([madeVideo('v1', 1)]);
    fed.grow(1);
    expect(itemsOf(feed)).toContain('begin video');
  });

  it('selects the smallest rendition that fills the tile, otherwise the largest, and follows the tile size', () => {
    const sized = (id: string, height: number) => ({ ...madeVideo(id), width: (height * 16) / 9, height });
    const fed = new FedWindow([sized('v1', 1080), sized('v2', 360), sized('v3', 720), madeAudio()]);
    fed.grow(1);
    const heightOf = (feed: LiveFeed): number | undefined => {
      for (let item = feed.next(); item; item = feed.next())
        if (item.kind === 'init' && item.init.track.content === 'video') return item.init.track.height;
      return undefined;
    };
    const feed = new LiveFeed(fed.window, TILE);
    expect(heightOf(feed)).toBe(360);
    feed.resize({ width: 1280, height: 720 });
    expect(heightOf(feed)).toBe(720);
    feed.resize({ width: 3840, height: 2160 });
    expect(heightOf(feed)).toBe(1080);
    feed.resize({ width: 3000, height: 2000 });
    expect(heightOf(feed)).toBeUndefined();
  });

  it('reads open parts chunk by chunk, at any time, without repetition or omission', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 20, max: 400 }), { minLength: 10 }), (waits) => {
        const stream = new StreamRun({ partMs: 500, segmentMs: 2000 });
        stream.wantChunks(Infinity);
        const play = stream.playing({
          video: { fps: 25, gopFrames: 50, bFrames: 2 },
          audio: { sampleRate: 48_000, lateMs: 30 },
          seconds: 8,
        });
        const feed = new LiveFeed(stream.window, { width: 320, height: 180 });
        const next = [NaN, NaN];
        let atMs = 500;
        for (const waitMs of waits) {
          play((atMs += waitMs));
          for (let item = feed.next(); item; item = feed.next()) {
            if (item.kind === 'begin') next.fill(NaN);
            if (item.kind !== 'part') continue;
            expect(item.isGap).toBe(false);
            for (const { bytes } of item.part.pieces.filter((piece) => 'bytes' in piece)) {
              const { baseDecodeTicks, samples } = readChunk(bytes) ?? { baseDecodeTicks: NaN, samples: undefined };
              const expected = next[item.track] ?? NaN;
              if (!Number.isNaN(expected)) expect(baseDecodeTicks).toBe(expected);
              const lasts = samples?.durations.subarray(0, samples.count).reduce((sum, one) => sum + one, 0) ?? NaN;
              next[item.track] = baseDecodeTicks + lasts;
            }
          }
          if (atMs > 8000) return;
        }
      }),
      { numRuns: 12 },
    );
  });

  it('has video and audio again after a pause of any length, whichever chunks were dropped', () => {
    const moments = { pausedAtMs: fc.integer({ min: 3000, max: 7000 }), pauseMs: fc.integer({ min: 500, max: 4000 }) };
    fc.assert(
      fc.property(fc.record(moments), ({ pausedAtMs, pauseMs }) => {
        const stream = new StreamRun({ partMs: 500, segmentMs: 2000 });
        stream.wantChunks(Infinity);
        const play = stream.playing({
          video: { fps: 25, gopFrames: 100, bFrames: 0 },
          audio: { sampleRate: 48_000, lateMs: 30 },
          seconds: 17,
        });
        const feed = new LiveFeed(stream.window, TILE);
        const newest = [0, 0];
        const take = (): void => {
          for (let item = feed.next(); item; item = feed.next())
            if (item.kind === 'part') newest[item.track] = item.startMs;
        };
        for (let atMs = 500; atMs < pausedAtMs; atMs += 40) {
          play(atMs);
          take();
        }
        // Up to the next key frame, and slightly further.
        for (let atMs = pausedAtMs + pauseMs; atMs < pausedAtMs + pauseMs + 4500; atMs += 40) {
          play(atMs);
          take();
        }
        const [picture = 0, sound = 0] = newest;
        expect(stream.clock.now() - picture).toBeLessThan(600);
        expect(stream.clock.now() - sound).toBeLessThan(600);
      }),
      { numRuns: 30 },
    );
  });
});
