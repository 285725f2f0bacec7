import { type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ref } from 'vue';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import TileLoudness from './TileLoudness.vue';
import TileMeters from './TileMeters.vue';

vi.mock('@vueuse/core', async (original) => ({
  ...(await original<object>()),
  // A page without layout has no sizes.
  useElementSize: () => ({ width: ref(20), height: ref(100) }),
}));

interface Fill {
  readonly colour: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}
let fills: Fill[];
let desk: TestDesk;

/** Records drawing calls. */
class FakeContext {
  fillStyle = '';
  clearRect(): void {
    fills = [];
  }
  fillRect(x: number, y: number, _: number, height: number): void {
    fills.push({ colour: this.fillStyle, x, y, height });
  }
}

beforeEach(() => {
  fills = [];
  desk = new TestDesk();
  // The drawing uses no more of the context.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation((() => new FakeContext()) as never);
  vi.stubGlobal('devicePixelRatio', 2);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function show(peaks: readonly number[] | null, props: object = {}): VueWrapper {
  const sound = peaks && {
    peak: (channel: number) => peaks[channel] ?? 0,
    shortTerm: () => -18.04,
    setAudible: vi.fn(),
    close: vi.fn(),
  };
  return desk.mount(TileMeters, {
    props: { channelCount: 2, sound, isPlaying: true, isSoundPossible: true, ...props },
  });
}
const GREEN = '#2fd07a';
const YELLOW = '#ffc02e';
const RED = '#ff4a4d';
const lit = (): string[] => fills.map(({ colour }) => colour).filter((colour) => [GREEN, YELLOW, RED].includes(colour));

describe('TileMeters', () => {
  it('draws one bar per channel, coloured by level, at the resolution of the screen', () => {
    const meters = show([1, 0.01]);
    desk.frame(1_000);
    expect(lit()).toEqual([GREEN, YELLOW, RED, GREEN]);
    expect(new Set(fills.filter(({ colour }) => colour === GREEN).map(({ x }) => x)).size).toBe(2);
    expect(meters.get('canvas').attributes()).toMatchObject({ width: '40', height: '200' });
  });

  it('falls slowly after the sound ends, and keeps a peak mark', () => {
    const peaks = [1];
    show(peaks, { channelCount: 1 });
    desk.frame(1_000);
    expect(lit()).toEqual([GREEN, YELLOW, RED]);
    peaks[0] = 0;
    // 20 dB in 1.5 s: after 10 dB the bar is below red, and the peak mark is still at the top.
    desk.frame(1_750);
    expect(lit()).toEqual([GREEN, YELLOW]);
    expect(fills.some(({ colour, y }) => colour === '#ff8a8c' && y === 0)).toBe(true);
    desk.frame(3_000);
    expect(fills.some(({ colour }) => colour === '#ff8a8c')).toBe(false);
  });

  it('shows the minimum while the picture does not play', () => {
    show([1, 1], { isPlaying: false });
    desk.frame(1_000);
    expect(lit()).toEqual([]);
  });

  it('shows the minimum before the audio is connected', () => {
    show(null);
    desk.frame(1_000);
    expect([lit(), fills.length > 0]).toEqual([[], true]);
  });

  it('explains that the browser needs a click before it plays audio', () => {
    expect(show(null, { isSoundPossible: false }).text()).toBe('click for sound');
    expect(show(null).text()).toBe('');
  });

  it('shows that there is no audio, with or without permission of the browser', () => {
    const meters = show(null, { channelCount: 0, isSoundPossible: false });
    expect(meters.text()).toBe('no audio');
    expect(meters.get('canvas').attributes('style')).toContain('display: none');
  });

  it('reserves the width of two channels for one, and of eight for eight', () => {
    const widthOf = (count: number): string | undefined =>
      show(null, { channelCount: count }).get('.meters').attributes('style');
    expect([widthOf(1), widthOf(8)]).toEqual(['--channels: 2;', '--channels: 8;']);
  });

  it('has a scale, and short-term loudness as a bar and a number, if selected', () => {
    expect(show([1, 1]).find('[data-test=scale], [data-test=loudness]').exists()).toBe(false);
    const meters = show([1, 1], { hasScale: true, hasLoudness: true });
    desk.frame(1_000);
    expect(meters.findAll('[data-test=scale] li').map((mark) => mark.text())).toEqual([
      '0',
      '9',
      '18',
      '30',
      '40',
      '50',
    ]);
    expect(meters.get('[data-test=loudness]').text()).toBe('-18.0');
    expect(meters.get('.bar i').classes()).toContain('loud');
    expect(show([], { channelCount: 0, hasScale: true, hasLoudness: true }).find('[data-test=scale]').exists()).toBe(
      false,
    );
  });

  it('shows no loudness without playback or audio', () => {
    const meters = show([1, 1], { isPlaying: false, hasLoudness: true });
    const alone = desk.mount(TileLoudness, { props: { sound: null, isPlaying: true } });
    desk.frame(1_000);
    expect(meters.get('[data-test=loudness]').text()).toBe('–');
    expect(alone.get('[data-test=loudness]').text()).toBe('–');
  });

  it('stops drawing when the tile closes', () => {
    const meters = show([1, 1]);
    expect(desk.drawing).toBe(1);
    meters.unmount();
    expect(desk.drawing).toBe(0);
  });
});
