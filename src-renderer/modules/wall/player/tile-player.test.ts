import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TilePlayer } from './tile-player.ts';

type Listener = (event: string, data: object) => void;

/** Fake of the hls.js functions that the player uses. */
const { FakeHls } = vi.hoisted(() => {
  class Fake {
    static isThere = true;
    static readonly made: Fake[] = [];
    static readonly Events = { ERROR: 'error', FRAG_BUFFERED: 'buffered' };
    static readonly ErrorDetails = {
      MANIFEST_INCOMPATIBLE_CODECS_ERROR: 'incompatible',
      BUFFER_ADD_CODEC_ERROR: 'addCodec',
    };
    static readonly ErrorTypes = { MEDIA_ERROR: 'media', NETWORK_ERROR: 'network' };
    static isSupported(): boolean {
      return Fake.isThere;
    }
    readonly listeners = new Map<string, Listener>();
    source = '';
    isDestroyed = false;
    recovered = 0;
    latency = 2;
    playingDate: Date | null = null;
    liveSyncPosition: number | null = 42;
    readonly config: object;
    constructor(config: object) {
      this.config = config;
      Fake.made.push(this);
    }
    on(event: string, listener: Listener): void {
      this.listeners.set(event, listener);
    }
    attachMedia(): void {}
    loadSource(url: string): void {
      this.source = url;
    }
    startLoad(): void {}
    recoverMediaError(): void {
      this.recovered += 1;
    }
    destroy(): void {
      this.isDestroyed = true;
    }
    fail(data: object): void {
      this.listeners.get('error')?.('error', { fatal: true, ...data });
    }
  }
  return { FakeHls: Fake };
});
vi.mock('hls.js', () => ({ default: FakeHls }));
vi.mock('./paced-playlist-loader.ts', () => ({ PacedPlaylistLoader: class {} }));

const URL_OF_STREAM = 'http://desk.example/cam1/index.m3u8';
let url = URL_OF_STREAM;
const master = (codecs: string): string =>
  `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="${codecs}"\nv1/index.m3u8?token=x\n`;
let phases: string[];
let player: TilePlayer;
const video = {
  currentTime: 0,
  readyState: 4,
  paused: false,
  plays: 0,
  removeAttribute: vi.fn(),
  load: vi.fn(),
  play: vi.fn(),
};

beforeEach(() => {
  vi.useFakeTimers();
  FakeHls.isThere = true;
  FakeHls.made.length = 0;
  url = URL_OF_STREAM;
  Object.assign(video, { currentTime: 0, readyState: 4, paused: false });
  video.play.mockReset().mockResolvedValue(undefined);
  video.load.mockReset();
  phases = [];
  // The player uses no more of the element.
  player = new TilePlayer(
    video as unknown as HTMLVideoElement,
    () => url,
    (phase, detail) => phases.push(detail === '' ? phase : `${phase}: ${detail}`),
  );
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('MediaSource', { isTypeSupported: (type: string) => /avc1|mp4a\.40\.2/.test(type) });
});
afterEach(() => {
  player.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const last = (): InstanceType<typeof FakeHls> => {
  const made = FakeHls.made.at(-1);
  if (!made) throw new Error('no player was made');
  return made;
};
/** Advances time while the picture moves. */
async function play(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    video.currentTime += 1;
    await vi.advanceTimersByTimeAsync(1_000);
  }
}
async function start(): Promise<void> {
  player.start(60);
  await vi.advanceTimersByTimeAsync(60);
}

describe('TilePlayer', () => {
  it('waits for its turn, loads, and reports playing once the picture moves', async () => {
    player.start(60);
    expect([phases, FakeHls.made.length]).toEqual([['loading'], 0]);
    await vi.advanceTimersByTimeAsync(60);
    expect(last().source).toBe(URL_OF_STREAM);
    await play(3);
    expect(phases).toEqual(['loading', 'playing']);
  });

  it('starts playback when there is a picture', async () => {
    await start();
    video.paused = true;
    last().listeners.get('buffered')?.('buffered', {});
    expect(video.play).toHaveBeenCalledOnce();
  });

  it('reports the date of the picture and its distance to the end of the playlist', async () => {
    expect([player.playingAtMs, player.edgeDistanceMs]).toEqual([null, null]);
    await start();
    last().playingDate = new Date(5_000);
    expect([player.playingAtMs, player.edgeDistanceMs]).toEqual([5_000, 2_000]);
    last().latency = 0;
    expect(player.edgeDistanceMs).toBeNull();
  });

  it('seeks to the live edge if playback is far behind', async () => {
    await start();
    await play(3);
    last().latency = 9;
    await play(1);
    expect(video.currentTime).toBe(42);
  });

  it('reports a frozen picture, and restarts if it stays frozen', async () => {
    await start();
    await play(3);
    // The live edge advances, so each jump leads to a new position, which does not count as movement of the picture.
    for (let second = 0; second < 7; second++) {
      last().liveSyncPosition = 42 + second;
      await vi.advanceTimersByTimeAsync(1_000);
      if (second === 1) expect(phases.at(-1)).toBe('stalled');
    }
    expect(phases).toEqual(['loading', 'playing', 'stalled']);
    video.readyState = 0;
    await vi.advanceTimersByTimeAsync(1_700);
    expect([FakeHls.made.length, FakeHls.made[0]?.isDestroyed]).toEqual([2, true]);
  });

  it('restarts after a fatal network error, with growing delays', async () => {
    await start();
    last().fail({ type: 'network', details: 'x' });
    expect([phases.at(-1), FakeHls.made[0]?.isDestroyed]).toEqual(['stalled', true]);
    await vi.advanceTimersByTimeAsync(700);
    expect(FakeHls.made).toHaveLength(2);
    last().fail({ type: 'network', details: 'x' });
    await vi.advanceTimersByTimeAsync(700);
    expect(FakeHls.made).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(600);
    expect(FakeHls.made).toHaveLength(3);
  });

  it('recovers from one decoder error, and restarts after a second one soon after', async () => {
    await start();
    last().fail({ type: 'media', details: 'x' });
    expect([last().recovered, last().isDestroyed]).toEqual([1, false]);
    last().fail({ type: 'media', details: 'x' });
    expect([last().recovered, last().isDestroyed]).toEqual([1, true]);
  });

  it('ignores an error that is not fatal', async () => {
    await start();
    last().fail({ fatal: false, type: 'network', details: 'x' });
    expect([phases, last().isDestroyed]).toEqual([['loading'], false]);
  });

  it('releases all buffers when closed, and does not start again', async () => {
    await start();
    player.close();
    expect([last().isDestroyed, phases.at(-1)]).toEqual([true, 'idle']);
    expect(video.load).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeHls.made).toHaveLength(1);
  });

  it('is not restarted in a hidden tab, where pictures freeze', async () => {
    await start();
    await play(3);
    vi.stubGlobal('document', { hidden: true });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([phases.at(-1), FakeHls.made.length]).toEqual(['playing', 1]);
  });

  it('reports that a browser cannot play any stream', async () => {
    FakeHls.isThere = false;
    await start();
    expect(phases).toEqual(['loading', 'unsupported: This browser has no Media Source Extensions']);
  });
});

describe('a stream that cannot be decoded completely', () => {
  const answer = (codecs: string): void => {
    const response = { ok: true, url: URL_OF_STREAM, text: () => Promise.resolve(master(codecs)) };
    vi.stubGlobal('fetch', () => Promise.resolve(response));
  };
  const refuse = async (): Promise<void> => {
    last().fail({ type: 'media', details: 'incompatible' });
    await vi.advanceTimersByTimeAsync(0);
  };

  it('is played without audio', async () => {
    answer('avc1.640028,ac-3');
    await start();
    await refuse();
    expect([last().source, player.missing]).toEqual(['http://desk.example/cam1/v1/index.m3u8?token=x', 'ac-3']);
  });

  it('is shown as stills if the video cannot be decoded', async () => {
    answer('hvc1.1.6.L93,mp4a.40.2');
    await start();
    await refuse();
    expect([phases.at(-1), player.missing, FakeHls.made.length]).toEqual(['stills', 'hvc1.1.6.L93', 1]);
  });

  it('is reported as unsupported if the playable codecs are refused, too', async () => {
    answer('avc1.640028,ac-3');
    await start();
    await refuse();
    await refuse();
    expect(phases.at(-1)).toContain('unsupported: This browser cannot decode');
  });

  it('is tried completely again after an interruption, because its codecs may have changed', async () => {
    answer('avc1.640028,ac-3');
    await start();
    await refuse();
    last().fail({ type: 'network', details: 'x' });
    expect(player.missing).toBeNull();
    await vi.advanceTimersByTimeAsync(700);
    expect(last().source).toBe(URL_OF_STREAM);
  });

  it('is tried again if its playlist cannot be loaded', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('gone')));
    await start();
    await refuse();
    expect(phases.at(-1)).toBe('stalled');
    await vi.advanceTimersByTimeAsync(700);
    expect(FakeHls.made).toHaveLength(2);
  });

  it('is not played if the tile closes before the playlist arrives', async () => {
    answer('avc1.640028,ac-3');
    await start();
    last().fail({ type: 'media', details: 'addCodec' });
    player.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([FakeHls.made.length, phases.at(-1)]).toEqual([1, 'idle']);
  });
});

describe('the address of a player', () => {
  it('has the query that is valid at each request', async () => {
    player.start(0);
    await vi.advanceTimersByTimeAsync(0);
    url = `${URL_OF_STREAM}?token=new`;
    const opened: string[] = [];
    const { xhrSetup } = last().config as { xhrSetup: (request: object, address: string) => void };
    vi.stubGlobal('location', { href: 'http://127.0.0.1/' });
    xhrSetup({ open: (_: string, address: string) => opened.push(address) }, `${URL_OF_STREAM}?token=old`);
    expect(opened).toEqual([url]);
    expect(FakeHls.made).toHaveLength(1);
  });
});
