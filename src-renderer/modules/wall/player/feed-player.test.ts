import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedFrame, FeedMessage } from '../../../../src-preload/contract/index.ts';
import { FEED_CREDIT, writeFeedHead } from '../../../../src-preload/contract/index.ts';
import { FeedBoard } from '../../../lib/feed-link.ts';
import { FeedPlayer } from './feed-player.ts';

const AVC = 'video/mp4; codecs="avc1.64001e"';
const AAC = 'audio/mp4; codecs="mp4a.40.2"';
const START_MS = 1_800_000_000_000;

/** Fake buffer with the functions that the player uses: each part adds half a second. */
class FakeBuffer extends EventTarget {
  readonly appended: number[] = [];
  updating = false;
  timestampOffset = 0;
  type: string;
  constructor(type: string) {
    super();
    this.type = type;
  }
  get buffered(): TimeRanges {
    return video.buffered;
  }
  appendBuffer(media: Uint8Array): void {
    if (FakeSource.isBroken) throw new DOMException('broken', 'InvalidStateError');
    this.appended.push(media.length);
    this.updating = true;
    queueMicrotask(() => {
      this.updating = false;
      // Browsers fire it in a separate task, so a frame may come first.
      if (FakeSource.isLate) setTimeout(() => this.dispatchEvent(new Event('updateend')), 20);
      else this.dispatchEvent(new Event('updateend'));
    });
  }
  changeType(type: string): void {
    this.type = type;
  }
  remove(): void {}
}
class FakeSource extends EventTarget {
  static made: FakeSource[] = [];
  static isBroken = false;
  static isLate = false;
  static readonly isTypeSupported = (type: string): boolean => !type.includes('ac-3');
  readonly buffers: FakeBuffer[] = [];
  constructor() {
    super();
    FakeSource.made.push(this);
  }
  addSourceBuffer(type: string): FakeBuffer {
    const buffer = new FakeBuffer(type);
    this.buffers.push(buffer);
    return buffer;
  }
}

interface FakeVideo extends EventTarget {
  end: number;
  currentTime: number;
  playbackRate: number;
  readonly buffered: TimeRanges;
  readonly play: ReturnType<typeof vi.fn>;
  readonly pause: ReturnType<typeof vi.fn>;
  readonly load: ReturnType<typeof vi.fn>;
  readonly requestVideoFrameCallback: ReturnType<typeof vi.fn<(shown: () => void) => void>>;
}
const video: FakeVideo = Object.assign(new EventTarget(), {
  src: '',
  currentTime: 0,
  playbackRate: 1,
  readyState: 4,
  paused: true,
  clientWidth: 320,
  clientHeight: 180,
  parentElement: null,
  end: 0,
  buffered: {
    get length(): number {
      return video.end > 0 ? 1 : 0;
    },
    start: () => 1,
    end: (): number => video.end,
  } as TimeRanges,
  removeAttribute: vi.fn(),
  load: vi.fn(),
  play: vi.fn(),
  pause: vi.fn(),
  requestVideoFrameCallback: vi.fn(),
});
let sent: FeedMessage[];
let board: FeedBoard;
let phases: string[];
let fallbacks: number;
let player: FeedPlayer;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('MediaSource', FakeSource);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:feed');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  Object.assign(FakeSource, { made: [], isBroken: false, isLate: false });
  Object.assign(video, { currentTime: 0, playbackRate: 1, end: 0, paused: true });
  video.play.mockReset().mockResolvedValue(undefined);
  video.pause.mockReset();
  video.load.mockReset();
  video.requestVideoFrameCallback.mockReset();
  [sent, phases, fallbacks] = [[], [], 0];
  board = new FeedBoard((message) => sent.push(message));
  // The player uses no more of the element.
  player = new FeedPlayer(video as unknown as HTMLVideoElement, {
    feeds: board,
    name: 'cam1',
    onPhase: (phase) => phases.push(phase),
    onFallback: () => (fallbacks += 1),
  });
  player.start();
});
afterEach(() => {
  player.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function startFeed(...tracks: string[]): void {
  board.state(1, { state: 'begin', tracks });
  FakeSource.made.at(-1)?.dispatchEvent(new Event('sourceopen'));
}

function frame(change: Partial<FeedFrame> = {}): Promise<unknown> {
  const head = { kind: 'part' as const, feed: 1, track: 0, isIndependent: true, isGap: false, startMs: START_MS };
  const bytes = writeFeedHead({ ...head, mediaType: '', ...change });
  board.frame(new Uint8Array([...bytes, 1, 2, 3]).buffer);
  return vi.advanceTimersByTimeAsync(0);
}
const buffer = (index = 0): FakeBuffer => FakeSource.made.at(-1)?.buffers[index] as FakeBuffer;

describe('FeedPlayer', () => {
  it('requests its stream in the size of its tile, and closes it', () => {
    expect(sent).toEqual([{ kind: 'feed-open', feed: 1, name: 'cam1', width: 320, height: 180 }]);
    player.close();
    expect(sent.at(-1)).toEqual({ kind: 'feed-close', feed: 1 });
    expect(phases).toEqual(['loading', 'idle']);
  });

  it('starts a third of a second before the newest media, and reports the time of its picture', async () => {
    startFeed(AVC, AAC);
    await frame({ kind: 'init', mediaType: AVC, startMs: 0 });
    video.end = 3;
    await frame();
    expect([video.currentTime, buffer().appended, video.play.mock.calls.length]).toEqual([2.65, [3, 3], 1]);
    expect(player.playingAtMs).toBeCloseTo(START_MS + 1_650);
    expect(player.edgeDistanceMs).toBeCloseTo(350);
  });

  it('is playing from its first picture, but not with media requested before a pause', async () => {
    startFeed(AVC);
    video.end = 3;
    await frame();
    const [shown] = video.requestVideoFrameCallback.mock.calls[0] ?? [];
    shown?.();
    vi.advanceTimersByTime(250);
    expect(phases).toEqual(['loading', 'playing']);
    player.pause();
    shown?.();
    expect(phases.at(-1)).toBe('idle');
  });

  it('returns credit for appended data, and none for an earlier connection', async () => {
    startFeed(AVC);
    for (let count = 0; count < FEED_CREDIT / 4; count++) await frame();
    expect(sent.at(-1)).toEqual({ kind: 'feed-credit', feed: 1, count: FEED_CREDIT / 4 });
    for (let count = 1; count < FEED_CREDIT / 4; count++) await frame();
    board.connected();
    await frame();
    expect(sent.at(-1)?.kind).toBe('feed-open');
  });

  it('returns credit for each frame, also for one that arrives while the previous one is being appended', async () => {
    startFeed(AVC);
    FakeSource.isLate = true;
    for (let count = 0; count < FEED_CREDIT; count++) await frame();
    await vi.advanceTimersByTimeAsync(20 * FEED_CREDIT);
    const given = sent.reduce((sum, message) => sum + (message.kind === 'feed-credit' ? message.count : 0), 0);
    expect([given, buffer().appended.length]).toEqual([FEED_CREDIT, FEED_CREDIT]);
  });

  it('plays faster with a large buffer, and skips a surplus', async () => {
    startFeed(AVC);
    video.end = 3;
    await frame();
    await frame();
    expect(video.playbackRate).toBeGreaterThan(1.05);
    video.end = 9;
    vi.advanceTimersByTime(2_000);
    await frame();
    expect(video.currentTime).toBeGreaterThan(8);
  });

  it('continues in the same buffers after a reconnection, and across a format change', async () => {
    startFeed(AVC, AAC);
    await frame();
    board.state(1, { state: 'begin', tracks: [AVC, AAC] });
    await frame({ kind: 'init', mediaType: 'video/mp4; codecs="avc1.640028"', startMs: 0 });
    expect([FakeSource.made.length, buffer().type]).toEqual([1, 'video/mp4; codecs="avc1.640028"']);
    // Audio appears or disappears: new buffers.
    startFeed(AVC);
    expect(FakeSource.made).toHaveLength(2);
  });

  it('continues in the same buffers with new media after a pause, and releases them at the end', async () => {
    startFeed(AVC);
    video.end = 3;
    await frame();
    player.pause();
    expect([sent.at(-1), video.pause.mock.calls.length]).toEqual([{ kind: 'feed-close', feed: 1 }, 1]);
    vi.advanceTimersByTime(20_000);
    expect([fallbacks, phases.at(-1)]).toEqual([0, 'idle']);
    player.start();
    expect(sent.at(-1)).toMatchObject({ kind: 'feed-open', feed: 2 });
    board.state(2, { state: 'begin', tracks: [AVC] });
    await frame({ feed: 2, kind: 'init', mediaType: AVC, startMs: 0 });
    // Media from before the pause is not played again.
    expect([FakeSource.made.length, video.currentTime]).toEqual([1, 2.65]);
    video.end = 10;
    await frame({ feed: 2 });
    expect(video.currentTime).toBeCloseTo(9.65);
    player.pause();
    player.close();
    expect(video.load.mock.calls.length).toBeGreaterThan(0);
  });

  it('stays paused while old data are appended, and continues with new media', async () => {
    startFeed(AVC);
    video.end = 3;
    await frame();
    FakeSource.isLate = true;
    await frame();
    await frame();
    player.pause();
    video.play.mockClear();
    video.currentTime = 2.9;
    video.end = 4;
    await vi.advanceTimersByTimeAsync(100);
    expect([video.play.mock.calls.length, video.currentTime, buffer().appended.length]).toEqual([0, 2.9, 3]);
    FakeSource.isLate = false;
    player.start();
    board.state(2, { state: 'begin', tracks: [AVC] });
    await frame({ feed: 2, kind: 'init', mediaType: AVC, startMs: 0 });
    expect([video.play.mock.calls.length, video.currentTime]).toEqual([0, 2.9]);
    video.end = 10;
    await frame({ feed: 2 });
    expect([video.play.mock.calls.length, video.currentTime]).toEqual([1, 9.65]);
  });

  it('does not reopen failed buffers during a pause', async () => {
    startFeed(AVC);
    video.end = 3;
    await frame();
    FakeSource.isLate = true;
    await frame();
    await frame();
    FakeSource.isBroken = true;
    player.pause();
    await vi.advanceTimersByTimeAsync(100);
    expect([sent.at(-1)?.kind, fallbacks, phases.at(-1)]).toEqual(['feed-close', 0, 'idle']);
    FakeSource.isBroken = false;
    player.start();
    board.state(2, { state: 'begin', tracks: [AVC] });
    expect(FakeSource.made).toHaveLength(2);
  });

  it.each([
    ['is refused', () => board.state(1, { state: 'refused', error: { code: 'forbidden', message: '' } })],
    [
      'has a codec that the browser does not know',
      () => board.state(1, { state: 'begin', tracks: ['audio/mp4; codecs="ac-3"'] }),
    ],
    ['never begins', () => vi.advanceTimersByTime(8_000)],
  ])('falls back to the player over HTTP for a stream that %s', (_, happen) => {
    happen();
    expect([fallbacks, sent.at(-1)?.kind]).toEqual([1, 'feed-close']);
  });

  it('retries after a buffer error, and falls back to the player over HTTP after the third', async () => {
    FakeSource.isBroken = true;
    for (let fault = 1; fault <= 3; fault++) {
      board.state(fault, { state: 'begin', tracks: [AVC] });
      FakeSource.made.at(-1)?.dispatchEvent(new Event('sourceopen'));
      await frame({ feed: fault });
      expect(fallbacks).toBe(fault === 3 ? 1 : 0);
    }
  });
});
