import type { HlsConfig, LoaderCallbacks, LoaderConfiguration, PlaylistLoaderContext } from 'hls.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PacedPlaylistLoader } from './paced-playlist-loader.ts';

interface Request {
  readonly url: string;
  readonly callbacks: LoaderCallbacks<PlaylistLoaderContext>;
  isAborted: boolean;
}
const { requests, FakeXhr } = vi.hoisted(() => {
  const all: Request[] = [];
  class Fake {
    stats = {};
    #own: Request | undefined;
    load(context: PlaylistLoaderContext, _: unknown, callbacks: LoaderCallbacks<PlaylistLoaderContext>): void {
      this.#own = { url: context.url, callbacks, isAborted: false };
      all.push(this.#own);
    }
    abort(): void {
      if (this.#own) this.#own.isAborted = true;
    }
    destroy(): void {
      this.abort();
    }
    getCacheAge(): number | null {
      return null;
    }
    getResponseHeader(): string | null {
      return null;
    }
  }
  return { requests: all, FakeXhr: Fake };
});
vi.mock('hls.js', () => ({ XhrLoader: FakeXhr }));

const PLAYLIST = 'http://desk.example/cam1/v1/index.m3u8';
const playlist = (sequence: number): string =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PART-INF:PART-TARGET=0.5\n#EXT-X-MEDIA-SEQUENCE:${sequence}\n#EXTINF:2,\na.m4s\n`;
const loaders: PacedPlaylistLoader[] = [];

/** Request of a player: the current playlist, or a blocking reload until it contains a segment. */
function load(msn?: number): { succeeded: unknown[]; failed: string[]; loader: PacedPlaylistLoader } {
  const loader = new PacedPlaylistLoader({} as HlsConfig);
  loaders.push(loader);
  const succeeded: unknown[] = [];
  const failed: string[] = [];
  const context = {
    url: msn === undefined ? PLAYLIST : `${PLAYLIST}?_HLS_msn=${msn}&token=x`,
    ...(msn === undefined ? {} : { deliveryDirectives: { msn, part: undefined }, levelDetails: { partTarget: 0.5 } }),
  };
  // The loader reads no other fields.
  loader.load(context as unknown as PlaylistLoaderContext, {} as LoaderConfiguration, {
    onSuccess: (response) => succeeded.push(response.data),
    onError: () => failed.push('error'),
    onTimeout: () => failed.push('timeout'),
  });
  return { succeeded, failed, loader };
}
function answer(index: number, text: string): void {
  const one = requests.at(index);
  one?.callbacks.onSuccess({ url: one.url, data: text }, {} as never, {} as never, null);
}
/** Occupies all slots for blocking reloads. */
const fill = (): void => [1, 2, 3, 4].forEach(() => void load(100));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { href: 'http://desk.example/' });
  requests.length = 0;
});
afterEach(() => {
  for (const loader of loaders.splice(0)) loader.destroy();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('PacedPlaylistLoader', () => {
  it('sends blocking reloads while slots are free', () => {
    const { succeeded } = load(100);
    expect(requests.map(({ url }) => url)).toEqual([`${PLAYLIST}?_HLS_msn=100&token=x`]);
    answer(0, playlist(100));
    expect(succeeded).toEqual([playlist(100)]);
  });

  it('sends at most four blocking reloads, and otherwise polls for the requested part', async () => {
    fill();
    const { succeeded } = load(101);
    await vi.advanceTimersByTimeAsync(0);
    expect(requests.at(4)?.url).toBe(`${PLAYLIST}?token=x`);
    answer(4, playlist(100));
    expect(succeeded).toEqual([]);
    await vi.advanceTimersByTimeAsync(120);
    expect(requests).toHaveLength(6);
    answer(5, playlist(101));
    expect(succeeded).toEqual([playlist(101)]);
  });

  it('polls when the next part is due, not earlier', async () => {
    fill();
    load(101);
    await vi.advanceTimersByTimeAsync(500);
    answer(4, playlist(101));
    load(102);
    await vi.advanceTimersByTimeAsync(400);
    expect(requests).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(100);
    expect(requests).toHaveLength(6);
  });

  it('returns the current playlist after a time-out', async () => {
    fill();
    const { succeeded } = load(200);
    await vi.advanceTimersByTimeAsync(6_500);
    answer(4, playlist(100));
    expect(succeeded).toEqual([playlist(100)]);
  });

  it.each(['abort', 'destroy', 'answer', 'error', 'timeout'] as const)('releases its slot after: %s', (end) => {
    const held = [load(100), load(100), load(100), load(100)];
    const first = requests[0];
    if (end === 'abort' || end === 'destroy') held[0]?.loader[end]();
    else if (end === 'answer') answer(0, playlist(100));
    else if (end === 'error') first?.callbacks.onError({ code: 0, text: '' }, {} as never, null, {} as never);
    else first?.callbacks.onTimeout({} as never, {} as never, null);
    expect(held[0]?.failed).toEqual(end === 'error' || end === 'timeout' ? [end] : []);
    load(101);
    expect(requests.at(-1)?.url).toContain('_HLS_msn=101');
  });

  it('stops when the player is destroyed', async () => {
    fill();
    const { loader, succeeded } = load(101);
    await vi.advanceTimersByTimeAsync(600);
    answer(4, playlist(100));
    loader.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([requests.length, succeeded]).toEqual([5, []]);
  });

  it('needs no slot without a requested part', () => {
    fill();
    const { succeeded } = load();
    answer(4, playlist(100));
    expect([requests.at(-1)?.url, succeeded.length]).toEqual([PLAYLIST, 1]);
  });
});
