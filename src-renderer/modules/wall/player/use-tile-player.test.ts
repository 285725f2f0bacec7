import { mount, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick, reactive, useTemplateRef } from 'vue';
import { bridgeKey } from '../../../server/bridge.ts';
import { wallContextKey } from '../wall-context.ts';
import { FakeBridge } from '../../../../tests/helpers/desk/fake-bridge.ts';
import type { FeedLink } from '../../../lib/feed-link.ts';
import { LastFrames } from '../last-frames.ts';
import type { PlayerPhase } from './tile-player.ts';
import { useTilePlayer, type TilePlayerHandle } from './use-tile-player.ts';

interface MadePlayer {
  readonly url: string;
  readonly say: (phase: PlayerPhase, detail: string) => void;
  missing: string | null;
  playingAtMs: number | null;
  edgeDistanceMs: number | null;
  delayMs: number;
  isClosed: boolean;
}
const made = vi.hoisted((): MadePlayer[] => []);
vi.mock('./tile-player.ts', () => ({
  TilePlayer: class {
    missing = null;
    playingAtMs = 5;
    edgeDistanceMs = 6;
    delayMs = -1;
    isClosed = false;
    readonly url: string;
    readonly say: MadePlayer['say'];
    constructor(_: unknown, url: () => string, say: MadePlayer['say']) {
      this.url = url();
      this.say = say;
      made.push(this);
    }
    start(delayMs: number): void {
      this.delayMs = delayMs;
    }
    close(): void {
      this.isClosed = true;
    }
  },
}));

const feeds = vi.hoisted((): string[] => []);
vi.mock('./feed-player.ts', () => ({
  FeedPlayer: class {
    missing = null;
    start(): void {
      feeds.push('start');
    }
    pause(): void {
      feeds.push('pause');
    }
    close(): void {
      feeds.push('close');
    }
  },
}));

const sound = { audible: [] as boolean[], closed: 0, channels: [] as number[], isPossible: true };
let running: (isRunning: boolean) => void;
const frames = new LastFrames();
let inputs: {
  url: string;
  isPlayable: boolean;
  isActive: boolean;
  isAudible: boolean;
  codecs: string;
  channelCount: number;
};
let bridge: FakeBridge & { feeds?: FeedLink };
let player: TilePlayerHandle;

beforeEach(() => {
  made.length = 0;
  bridge = new FakeBridge();
  Object.assign(sound, { audible: [], closed: 0, channels: [], isPossible: true });
  inputs = reactive({ url: '/a', isPlayable: true, isActive: true, isAudible: false, codecs: 'h264', channelCount: 2 });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation((() => ({
    drawImage: () => undefined,
  })) as never);
});
afterEach(() => {
  vi.restoreAllMocks();
});

function show(): VueWrapper {
  const audioMixer = {
    isRunning: true,
    unlock: () => Promise.resolve(),
    onRunning: (listener: typeof running) => {
      running = listener;
      return () => undefined;
    },
    connect: (_: unknown, channels: number) => {
      if (!sound.isPossible) return null;
      sound.channels.push(channels);
      return { peak: () => 0, setAudible: (is: boolean) => sound.audible.push(is), close: () => (sound.closed += 1) };
    },
  };
  const host = defineComponent({
    setup() {
      player = useTilePlayer(useTemplateRef('video'), useTemplateRef('still'), {
        name: () => 'cam1',
        url: () => inputs.url,
        isPlayable: () => inputs.isPlayable,
        isActive: () => inputs.isActive,
        isAudible: () => inputs.isAudible,
        codecs: () => inputs.codecs,
        channelCount: () => inputs.channelCount,
        startDelayMs: () => 60,
      });
      return () => [h('canvas', { ref: 'still' }), h('video', { ref: 'video' })];
    },
  });
  const provide = {
    [wallContextKey as symbol]: { audioMixer, lastFrames: frames },
    [bridgeKey as symbol]: bridge,
  };
  return mount(host, { global: { provide } });
}

describe('useTilePlayer', () => {
  it('starts the player in turn with its tile, and ends it with the tile', () => {
    const tile = show();
    expect(made).toMatchObject([{ url: '/a', delayMs: 60 }]);
    expect([player.playingAtMs(), player.edgeDistanceMs()]).toEqual([5, 6]);
    tile.unmount();
    expect([made[0]?.isClosed, sound.closed]).toEqual([true, 1]);
  });

  it('pauses the player while its tile is out of view', async () => {
    inputs.isActive = false;
    show();
    expect([made.length, player.playingAtMs()]).toEqual([0, null]);
    inputs.isActive = true;
    await nextTick();
    inputs.isActive = false;
    await nextTick();
    expect(made.map(({ isClosed }) => isClosed)).toEqual([true]);
  });

  it('keeps a feed player for 15 s while its tile is hidden', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('MediaSource', class {});
    bridge.feeds = { open: () => ({ resize: () => undefined, close: () => undefined }) };
    feeds.length = 0;
    const see = async (isActive: boolean, forMs: number): Promise<void> => {
      inputs.isActive = isActive;
      await nextTick();
      vi.advanceTimersByTime(forMs);
    };
    const tile = show();
    await see(false, 14_000);
    inputs.channelCount = 6;
    await see(true, 20_000);
    expect([feeds, sound.channels]).toEqual([
      ['start', 'pause', 'start'],
      [2, 6],
    ]);
    await see(false, 15_000);
    await see(true, 0);
    expect(feeds.slice(3)).toEqual(['pause', 'close', 'start']);
    // Without anything to play, no player stays open.
    await see(false, 0);
    inputs.isPlayable = false;
    await nextTick();
    expect(feeds.slice(6)).toEqual(['pause', 'close']);
    tile.unmount();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('restarts the player at another address, but not for a renewed query', async () => {
    show();
    inputs.url = '/a?token=new';
    await nextTick();
    expect(made.map(({ url, isClosed }) => [url, isClosed])).toEqual([['/a', false]]);
    inputs.url = '/b';
    await nextTick();
    expect(made.map(({ url, isClosed }) => [url, isClosed])).toEqual([
      ['/a', true],
      ['/b', false],
    ]);
  });

  it('reports the state and omitted tracks of the player', () => {
    show();
    const [first] = made;
    if (first) first.missing = 'ac-3';
    first?.say('unsupported', 'no decoder');
    expect([player.phase.value, player.detail.value, player.missing.value]).toEqual([
      'unsupported',
      'no decoder',
      'ac-3',
    ]);
  });

  it('restarts the player after a change of the codecs only if the player reported unsupported codecs', async () => {
    show();
    made[0]?.say('playing', '');
    inputs.codecs = 'h265';
    await nextTick();
    expect(made).toHaveLength(1);
    made[0]?.say('unsupported', '');
    inputs.codecs = 'h264';
    await nextTick();
    expect(made).toHaveLength(2);
  });

  it('unmutes, and reconnects the audio for another number of channels', async () => {
    show();
    inputs.isAudible = true;
    await nextTick();
    inputs.channelCount = 6;
    await nextTick();
    expect([sound.audible, sound.channels, sound.closed]).toEqual([[false, true, true], [2, 6], 1]);
  });

  it('connects the audio once the browser allows it', () => {
    sound.isPossible = false;
    show();
    expect(player.sound.value).toBeNull();
    sound.isPossible = true;
    running(true);
    running(true);
    expect([player.sound.value !== null, sound.channels]).toEqual([true, [2]]);
  });

  it('keeps the last picture, also for the next tile of the stream', () => {
    const tile = show();
    expect(player.hasLastFrame.value).toBe(false);
    Object.defineProperties(tile.get('video').element, {
      videoWidth: { value: 640 },
      videoHeight: { value: 360 },
      readyState: { value: 4 },
    });
    made[0]?.say('stalled', '');
    expect(player.hasLastFrame.value).toBe(true);
    tile.unmount();
    const again = show();
    expect([player.hasLastFrame.value, again.get('canvas').element.height]).toEqual([true, 270]);
  });
});

it('LastFrames keeps the pictures of the latest 48 streams', () => {
  const video = { videoWidth: 16, videoHeight: 9, readyState: 4 } as HTMLVideoElement;
  const kept = new LastFrames();
  for (let index = 0; index < 49; index++) kept.store(`s${index}`, video);
  kept.store('blank', { ...video, readyState: 0 } as HTMLVideoElement);
  const draw = (name: string): boolean => kept.draw(name, document.createElement('canvas'));
  expect([draw('s0'), draw('s1'), draw('s48'), draw('blank')]).toEqual([false, true, true, false]);
});
