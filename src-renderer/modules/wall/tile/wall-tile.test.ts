import { type DOMWrapper, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import type { StreamState } from '../../../../src-preload/contract/index.ts';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import type { TilePlayerInputs } from '../player/use-tile-player.ts';
import { useStreamsStore } from '../../../domain/streams/store.ts';
import { usePicturesStore } from '../stills/pictures-store.ts';
import { useWallStore } from '../store.ts';
import WallTile from './WallTile.vue';

const { player, playerInputs } = await vi.hoisted(async () => {
  const { ref, shallowRef } = await import('vue');
  const inputsOf: { last?: TilePlayerInputs } = {};
  const handle = {
    phase: ref('idle'),
    detail: ref(''),
    missing: ref<string | null>(null),
    sound: shallowRef(null),
    hasLastFrame: ref(false),
    playingAtMs: (): number | null => null,
    edgeDistanceMs: (): number | null => null,
  };
  return { player: handle, playerInputs: inputsOf };
});
vi.mock('../player/use-tile-player.ts', () => ({
  useTilePlayer: (_video: unknown, _still: unknown, inputs: TilePlayerInputs) => {
    playerInputs.last = inputs;
    return player;
  },
}));

const NOW = 1_800_000_000_000;
const gone = { alive: false, status: 'waiting' } as const;
let desk: TestDesk;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval', 'performance'] });
  desk = new TestDesk();
  desk.setServer();
  Object.assign(player, { playingAtMs: () => null, edgeDistanceMs: () => null });
  player.phase.value = 'idle';
  player.detail.value = '';
  player.missing.value = null;
});
afterEach(() => {
  vi.useRealTimers();
});

function show(change: Partial<StreamState> = {}, props: object = {}): VueWrapper {
  desk.setStreams(aStream(change));
  const report = useStreamsStore().byName.get(change.name ?? 'cam1');
  return desk.mount(WallTile, { props: { report, isVisible: true, place: 0, overlays: [], ...props } });
}
/** True if the player of the tile should play now. */
const isActive = (): boolean => playerInputs.last?.isPlayable() === true && playerInputs.last.isActive();
const word = (tile: VueWrapper): string => tile.get('.word').text();
const button = (tile: VueWrapper, title: string): Omit<DOMWrapper<Element>, 'exists'> =>
  tile.get(`button[title^="${title}"]`);
const titles = (tile: VueWrapper): (string | undefined)[] =>
  tile.findAll('button').map((one) => one.attributes('title'));

describe('the condition of a tile', () => {
  it.each([
    ['LIVE', {}, 'live'],
    ['LATE', { ts_delay: 2_500 }, 'late'],
    ['LOST', gone, 'lost'],
    ['NO SIGNAL', { ...gone, ts_delay: null, status: 'error' as const }, 'failed'],
    ['WAITING', { ...gone, ts_delay: null, publish_urls: ['rtmp://h/static/cam1'] }, 'waiting'],
    ['STARTING', { ...gone, ts_delay: null }, 'starting'],
  ])('is shown by a label, a frame and the accessible name: %s', (text, change, frame) => {
    const tile = show(change);
    expect(word(tile)).toBe(text);
    expect(tile.get('article').classes()).toContain(frame);
    expect(tile.get('article').attributes('aria-label')).toBe(`cam1, ${text}`);
  });

  it('has a visible frame when the tile is selected', () => {
    expect(show(gone).get('article').classes()).toEqual(expect.arrayContaining(['lost', 'selected']));
  });

  it('becomes late without messages about the stream', async () => {
    const tile = show();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(word(tile)).toBe('LATE');
  });

  it('is unknown while the server does not answer, and recovers with the server', async () => {
    const tile = show();
    desk.setServer({}, { phase: 'stale' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(word(tile)).toBe('UNKNOWN');
    expect(tile.get('.state').attributes('title')).toBe('LIVE when the server last responded');
    expect(tile.get('article').classes()).not.toContain('late');
    desk.setServer();
    await tile.setProps({ report: { state: aStream(), receivedAtMs: performance.now() } });
    expect(word(tile)).toBe('LIVE');
  });
});

describe('the cell of a tile', () => {
  it('has marks and technical data over the picture, and scale and loudness beside the levels', () => {
    const plain = show();
    const parts = ['marks', 'technical', 'scale', 'loudness'];
    expect(parts.filter((part) => plain.find(`[data-test=${part}]`).exists())).toEqual([]);
    const tile = show({}, { overlays: ['centre', 'technical', 'scale', 'loudness'] });
    expect(parts.filter((part) => tile.find(`[data-test=${part}]`).exists())).toEqual(parts);
    expect([tile.find('.light path').exists(), tile.find('.light rect').exists()]).toEqual([true, false]);
    expect(tile.get('[data-test=marks]').attributes('viewBox')).toBe('0 0 640 360');
    expect(tile.get('[data-test=technical]').text()).toContain('v1, H.264, 640×360');
  });

  it('has no overlays without a picture, and always the scale in solo', async () => {
    expect(
      show(gone, { overlays: ['centre', 'technical'] })
        .find('[data-test=marks]')
        .exists(),
    ).toBe(false);
    const tile = show();
    useWallStore().toggleSolo('cam1');
    await nextTick();
    expect(tile.find('[data-test=scale]').exists() && tile.find('[data-test=loudness]').exists()).toBe(true);
  });
});

describe('a tile that shows stills', () => {
  it('loads no video, and shows the reason: the selection, or a slow machine', async () => {
    const tile = show();
    expect([isActive(), tile.find('[data-test=stills]').exists()]).toEqual([true, false]);
    usePicturesStore().setPictures('stills');
    await nextTick();
    expect(isActive()).toBe(false);
    expect(tile.get('[data-test=stills]').attributes('src')).toContain('/cam1/preview.jpg');
    expect(tile.get('[data-test=missing]').text()).toBe('one picture per second, as selected');
    expect(tile.find('.meters').exists()).toBe(false);
    usePicturesStore().setPictures('auto');
    usePicturesStore().setMaxPlaying(0);
    await nextTick();
    expect(tile.get('[data-test=missing]').text()).toBe('one picture per second: this machine cannot keep up');
    useWallStore().toggleSolo('cam1');
    await nextTick();
    expect([isActive(), tile.find('[data-test=missing]').exists()]).toEqual([true, false]);
  });
});

describe('a tile without a signal', () => {
  const problem = { code: 'input_timed_out', detail: 'none for 12 s', at: NOW, count: 3 };

  it('shows the problem, the reason, duration and start, and the number of attempts', async () => {
    const tile = show({ ...gone, ts_delay: 12_000, retry_count: 3, problems: [problem] });
    const text = tile.get('.signal').text();
    expect(text).toMatch(/^Signal lost0:12since \d\d:\d\d:\d\dThe input sent no frames in time/);
    expect(text).toMatch(/none for 12 s.*input_timed_out.*tried 3 times/);
    expect(tile.get('.signal').attributes('aria-label')).toContain('Signal lost: The input sent no frames');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tile.get('.signal').text()).toContain('1:12');
  });

  it('shows that there never was a signal, and a single attempt', () => {
    const tile = show({ ...gone, ts_delay: null, status: 'error', retry_count: 1 });
    const text = tile.get('.signal').text();
    expect(text).toMatch(/^No signal.*No picture.*tried once$/);
    expect(text).not.toContain('since');
  });

  it('neither plays nor measures, but has its actions', () => {
    const tile = show(gone);
    expect(isActive()).toBe(false);
    expect([tile.find('.meters').exists(), tile.find('.timing').exists()]).toEqual([false, false]);
    expect(titles(tile)).toEqual(expect.arrayContaining(['Restart (R)', 'Remove (Delete)']));
  });

  it('shows the last frame in grey if there is one', async () => {
    const tile = show(gone);
    expect(tile.get('.still').attributes('style')).toContain('display: none');
    player.hasLastFrame.value = true;
    await nextTick();
    expect(tile.get('.still').attributes('style') ?? '').not.toContain('none');
    expect(tile.get('.still').classes()).toContain('lost');
    player.hasLastFrame.value = false;
  });
});

describe('the picture of a tile', () => {
  it('is requested from the server with the token of this desk', () => {
    desk.setServer({ view_query: 'token=x' });
    show();
    expect([playerInputs.last?.url(), isActive()]).toEqual(['http://desk.example/cam1/index.m3u8?token=x', true]);
    expect([playerInputs.last?.channelCount(), playerInputs.last?.codecs()]).toEqual([2, 'h264,aac']);
  });

  it('is not loaded out of view', () => {
    const tile = show({}, { isVisible: false });
    expect([isActive(), tile.find('.note').exists()]).toEqual([false, false]);
  });

  it.each([
    ['loading', '', 'Loading picture'],
    ['stalled', '', 'The picture froze, reloading'],
    ['unsupported', 'This browser cannot decode it', 'This browser cannot decode it'],
  ])('is replaced by the reason while there is none: %s', async (phase, detail, text) => {
    const tile = show();
    player.phase.value = phase;
    player.detail.value = detail;
    await nextTick();
    expect(tile.get('.note').text()).toBe(text);
    player.phase.value = 'playing';
    await nextTick();
    expect(tile.find('.note').exists()).toBe(false);
  });

  it('has a note in place of the meters if the audio cannot be decoded', async () => {
    const tile = show();
    expect(tile.find('.meters').exists()).toBe(true);
    player.phase.value = 'playing';
    player.missing.value = 'ac-3';
    await nextTick();
    expect(tile.get('[data-test=missing]').text()).toBe('audio: AC-3 cannot be decoded here');
    expect(tile.find('.meters').exists()).toBe(false);
  });

  it('has no stills and no wrong reason if the stream has no video', async () => {
    const tile = show({ media_info: { streams: [], tracks: [{ content: 'audio', codec: 'mp2', track_id: 'a1' }] } });
    player.phase.value = 'unsupported';
    player.detail.value = 'This browser cannot decode the codec of this stream';
    usePicturesStore().setPictures('stills');
    await nextTick();
    expect([tile.find('[data-test=stills]').exists(), tile.find('[data-test=missing]').exists()]).toEqual([
      false,
      false,
    ]);
    expect(tile.get('.note').text()).toBe('No video; the sound cannot be decoded here');
  });

  it('is a series of stills if the video cannot be decoded', async () => {
    const tile = show();
    player.phase.value = 'stills';
    player.missing.value = 'hvc1.1.6.L93';
    await nextTick();
    expect(tile.get('[data-test=stills]').attributes('src')).toContain('http://desk.example/cam1/preview.jpg');
    expect(tile.get('[data-test=missing]').text()).toContain('H.265 cannot be decoded here');
  });

  it('has a lamp for a backup on air, all inputs in solo, and none if the stream is lost', async () => {
    const input = aStream().inputs[0];
    const inputs = [
      {
        ...input,
        phase: 'error' as const,
        is_active: false,
        last_error: { code: 'input_timed_out', detail: '', at: 1 },
      },
      { ...input, priority: 2, url: 'udp://239.0.0.2:1234' },
    ] as StreamState['inputs'];
    const tile = show({ inputs, active_input: 1 });
    expect(tile.get('[data-test=input-lamp]').text()).toBe('2/2 RESERVE');
    expect(tile.findAll('li')).toHaveLength(0);
    useWallStore().toggleSolo('cam1');
    await nextTick();
    expect(tile.findAll('.inputs li').map((line) => line.text())).toEqual([
      expect.stringContaining('failed, retrying – The input sent no frames in time'),
      expect.stringContaining('udp://239.0.0.2:1234  on air'),
    ]);
    await tile.setProps({
      report: { state: aStream({ ...gone, inputs, active_input: 1 }), receivedAtMs: performance.now() },
    });
    expect(tile.find('[data-test=input-lamp]').exists()).toBe(false);
  });
});

describe('the timing of a tile', () => {
  const spans = (tile: VueWrapper): string[] => tile.findAll('.timing b').map((one) => one.text());

  it('is updated a few times a second, and coloured if it is too long', () => {
    const tile = show();
    player.phase.value = 'playing';
    Object.assign(player, { playingAtMs: () => Date.now() - 2_400 });
    desk.frame(1_000);
    expect(spans(tile)).toEqual(['2.4 s', '0.0 s']);
    Object.assign(player, { playingAtMs: () => Date.now() - 7_000 });
    desk.frame(1_100);
    expect(spans(tile)[0]).toBe('2.4 s');
    desk.frame(1_300);
    expect([spans(tile)[0], tile.findAll('.timing b')[0]?.classes()]).toEqual(['7.0 s', ['warn']]);
    Object.assign(player, { playingAtMs: () => Date.now() - 13_000 });
    desk.frame(2_000);
    expect(tile.findAll('.timing b')[0]?.classes()).toEqual(['alarm']);
  });

  it('is the distance to the end of the playlist if its dates are not current', () => {
    const tile = show();
    player.phase.value = 'playing';
    Object.assign(player, { playingAtMs: () => 1_000, edgeDistanceMs: () => 3_000 });
    desk.frame(1_000);
    expect(spans(tile)[0]).toBe('3.0 s');
    // A clock that is ahead of the arrival.
    Object.assign(player, { playingAtMs: () => Date.now() + 500, edgeDistanceMs: () => 400 });
    desk.frame(2_000);
    expect(spans(tile)[0]).toBe('0.4 s');
    // A clock that is ahead by less: the picture is not newer than the media that the player holds after it.
    Object.assign(player, { playingAtMs: () => Date.now() - 20, edgeDistanceMs: () => 500 });
    desk.frame(2_500);
    expect(spans(tile)[0]).toBe('0.5 s');
    Object.assign(player, { playingAtMs: () => Date.now() + 500, edgeDistanceMs: () => null });
    desk.frame(3_000);
    expect(spans(tile)[0]).toBe('–');
  });

  it('is empty without playback, and is not drawn after the tile closes', () => {
    const tile = show();
    desk.frame(1_000);
    expect(spans(tile)[0]).toBe('–');
    tile.unmount();
    expect(desk.drawing).toBe(0);
  });
});

describe('the actions on a tile', () => {
  it('start from its buttons and a double-click', async () => {
    const tile = show();
    for (const title of ['Solo', 'Restart', 'Remove']) await button(tile, title).trigger('click');
    await tile.get('article').trigger('dblclick');
    expect(tile.emitted('act')).toEqual([['solo'], ['restart'], ['remove'], ['solo']]);
  });

  it('exclude changes with read access', () => {
    desk.setServer({ may_write: false });
    const tile = show();
    expect(titles(tile).join()).toMatch(/Solo.*More.*Sound/);
    expect(titles(tile).join()).not.toMatch(/Restart|Remove/);
  });

  it('exclude removal of a published stream', () => {
    const tile = show({ named_by: 'user' });
    expect(titles(tile).join()).toContain('Restart');
    expect(titles(tile).join()).not.toContain('Remove');
  });

  it('are disabled during a restart or removal', async () => {
    const tile = show();
    useStreamsStore().setBusy(['cam1'], true);
    await nextTick();
    expect(['Solo', 'Restart', 'Remove'].map((title) => button(tile, title).attributes('disabled'))).toEqual([
      undefined,
      '',
      '',
    ]);
  });

  it('include the return from solo', async () => {
    const tile = show();
    useWallStore().toggleSolo('cam1');
    await nextTick();
    expect(titles(tile)).toContain('Back to the wall (Escape)');
  });

  it('toggle its audio, and show the state', async () => {
    const tile = show();
    const sound = button(tile, 'Sound');
    expect(sound.attributes('aria-pressed')).toBe('false');
    await sound.trigger('click');
    expect([sound.attributes('aria-pressed'), playerInputs.last?.isAudible()]).toEqual(['true', true]);
  });
});

describe('the selection of a tile', () => {
  it('moves to a pressed or focused tile', async () => {
    const tile = show();
    const wall = useWallStore();
    wall.setPresent(['cam1', 'cam2']);
    wall.select('cam2');
    await nextTick();
    expect(tile.get('article').attributes('aria-current')).toBe('false');
    await button(tile, 'Remove').trigger('focusin');
    expect(wall.selected).toBe('cam1');
    wall.select('cam2');
    await tile.get('article').trigger('pointerdown');
    expect([wall.selected, tile.get('article').attributes('aria-current')]).toEqual(['cam1', 'true']);
  });

  it('is the only tab stop', async () => {
    const tile = show();
    const stops = (): number => tile.findAll('[tabindex="0"]').length;
    expect(stops()).toBe(6);
    useWallStore().setPresent(['cam1', 'cam2']);
    useWallStore().select('cam2');
    await nextTick();
    expect([stops(), tile.findAll('button:not([tabindex="-1"])').length]).toEqual([0, 0]);
  });
});

it('WallTile names the stream with its title, and all facts in a tooltip', () => {
  const tile = show({ title: 'Studio', bitrate: 4_020 });
  expect(tile.get('.name').attributes('title')).toBe('cam1 – Studio');
  expect(tile.get('.second').attributes('title')).toBe('4.02 Mbit/s, 25 fps, 640×360, H.264, AAC stereo');
});

it('WallTile shows only that a stream is disabled, without alarm colours', () => {
  const tile = show({ ...gone, is_disabled: true, ts_delay: null });
  expect([word(tile), tile.get('[data-test=disabled]').text(), tile.find('.signal').exists()]).toEqual([
    'DISABLED',
    'Disabled in the configuration',
    false,
  ]);
});
