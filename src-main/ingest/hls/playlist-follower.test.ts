import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { MediaPlaylist } from '../../media/manifests/hls/media-playlist.ts';
import { parsePlaylist } from '../../media/manifests/hls/parse-playlist.ts';
import { HttpLoader } from './http-loader.ts';
import { PlaylistFollower } from './playlist-follower.ts';
import { Wakeable } from '../../lib/timers.ts';

async function follow(text: string): Promise<{ code: string; items: number; turns: number }> {
  const clock = new FakeClock();
  const url = new URL('http://example.org/index.m3u8');
  let items = 0;
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const follower = new PlaylistFollower({
    clock,
    loader: new HttpLoader({ clock, userAgent: '', headers: new Map(), home: url, received: () => undefined }),
    url,
    first: { playlist: parsePlaylist(text) as MediaPlaylist, url },
    loop: true,
    pause: new Wakeable(clock),
    problem: () => undefined,
    aheadMs: () => 0,
    take: () => {
      items++;
      return Promise.resolve(undefined);
    },
  });
  const { code } = await follower.run();
  isOver = true;
  return { code, items, turns };
}

it('PlaylistFollower ends a looped recording that has only gaps, and yields to other tasks meanwhile', async () => {
  const gap = '#EXTINF:2,\n#EXT-X-GAP\na.ts\n';
  const { code, items, turns } = await follow(`#EXTM3U\n#EXT-X-TARGETDURATION:2\n${gap.repeat(2000)}#EXT-X-ENDLIST\n`);
  expect([code, items]).toEqual(['input_no_tracks', 2000]);
  expect(turns).toBeGreaterThan(20);
});

/** Records the first reload delay, then closes. */
class FirstDelay extends Wakeable {
  ms: number | undefined;

  override sleep(ms: number): Promise<void> {
    this.ms ??= ms;
    this.close();
    return Promise.resolve();
  }
}

async function firstDelay(segments: string): Promise<number | undefined> {
  const clock = new FakeClock();
  const url = new URL('http://example.org/index.m3u8');
  const pause = new FirstDelay(clock);
  const text = `#EXTM3U\n#EXT-X-TARGETDURATION:3\n${segments}`;
  const follower = new PlaylistFollower({
    clock,
    loader: new HttpLoader({ clock, userAgent: '', headers: new Map(), home: url, received: () => undefined }),
    url,
    first: { playlist: parsePlaylist(text) as MediaPlaylist, url },
    loop: false,
    pause,
    problem: () => undefined,
    aheadMs: () => 0,
    take: () => Promise.resolve(undefined),
  });
  await follower.run();
  return pause.ms;
}

it('PlaylistFollower reloads after one target duration, or sooner if the playlist is shorter than three target durations', async () => {
  const segment = '#EXTINF:2,\na.ts\n';
  expect(await firstDelay(segment)).toBe(1000);
  expect(await firstDelay(segment.repeat(4))).toBe(1000);
  expect(await firstDelay(segment.repeat(5))).toBe(3000);
  expect(await firstDelay('#EXTINF:3,\na.ts\n'.repeat(3))).toBe(3000);
});
