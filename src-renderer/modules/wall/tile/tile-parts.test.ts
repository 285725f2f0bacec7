import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { computed, ref, shallowRef } from 'vue';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { anAlarm } from '../../../../tests/helpers/desk/an-alarm.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useOverlayStore } from '../../../ui/overlay-store.ts';
import { useAlarmsStore } from '../../../domain/alarms/store.ts';
import type { PlayerPhase } from '../player/tile-player.ts';
import type { TilePlayerHandle } from '../player/use-tile-player.ts';
import { factsOf } from '../../../domain/streams/stream-facts.ts';
import type { StreamCondition } from '../../../domain/streams/stream-condition.ts';
import TileActions from './TileActions.vue';
import TileLabel from './TileLabel.vue';
import TileOverlay from './TileOverlay.vue';
import TileSignal from './TileSignal.vue';
import TileTiming from './TileTiming.vue';
import type { TileView } from './use-tile-view.ts';

const NOW = Date.UTC(2027, 0, 15, 12, 0, 0);
let desk: TestDesk;

beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
});
afterEach(() => {
  document.body.replaceChildren();
});

describe('the menu of a tile', () => {
  const props = {
    isSolo: false,
    isBusy: false,
    canPublish: true,
    canRemove: true,
    mayChange: true,
    isReachable: true,
    mayOperate: true,
    inputs: [],
    activeInput: null,
    selectedInput: null,
  };
  const open = async (change: object = {}): Promise<VueWrapper> => {
    const actions = desk.mount(TileActions, { props: { ...props, ...change }, isAttached: true });
    await actions.get('[title=More]').trigger('click');
    await flushPromises();
    return actions;
  };
  const options = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.n-dropdown-option-body')];
  const labels = (): (string | undefined)[] => options().map((option) => option.textContent?.trim());

  it('copies addresses and opens the player', async () => {
    const actions = await open();
    expect(labels()).toEqual([
      'Details of the stream',
      'Copy publish address',
      'Copy HLS address',
      'Copy DASH address',
      'Open in a player page',
      'Open the archive here',
    ]);
    options()[2]?.click();
    await flushPromises();
    expect(actions.emitted('act')).toEqual([['copy-hls']]);
  });

  it('puts an input on air, and returns to automatic selection', async () => {
    const inputs = ['1  udp://239.0.0.1:1234  On air', '2  rtsp://camera  Standing by'];
    const actions = await open({ inputs, activeInput: 0, selectedInput: 0 });
    expect(labels().slice(0, 3)).toEqual([
      'Put on air: 2  rtsp://camera  Standing by',
      'Select the input automatically',
      'Details of the stream',
    ]);
    options()[0]?.click();
    options()[1]?.click();
    await flushPromises();
    // The next input has its own button.
    await actions.get('[data-test=take-next]').trigger('click');
    expect(actions.emitted('act')).toEqual([['take-1'], ['automatic'], ['take-1']]);
  });

  it('offers no input to a login that can only watch', async () => {
    const actions = await open({ inputs: ['1  a', '2  b'], mayOperate: false });
    expect([labels()[0], actions.find('[data-test=take-next]').exists()]).toEqual(['Details of the stream', false]);
  });

  it('has no publish address if the stream accepts no publisher', async () => {
    await open({ canPublish: false });
    expect(labels()).not.toContain('Copy publish address');
  });

  it('receives the keys while it is open', async () => {
    const actions = await open();
    expect([useOverlayStore().isAnyOpen, actions.get('[title=More]').attributes('aria-expanded')]).toEqual([
      true,
      'true',
    ]);
    options()[0]?.click();
    await flushPromises();
    expect(useOverlayStore().isAnyOpen).toBe(false);
  });
});

describe('TileLabel', () => {
  const show = (condition: StreamCondition, change: object = {}): VueWrapper =>
    desk.mount(TileLabel, {
      props: {
        name: 'cam1',
        title: undefined,
        condition,
        facts: factsOf(aStream()),
        isAudible: false,
        isStale: false,
        isReachable: true,
        ...change,
      },
    });

  it.each([
    ['live', 'LIVE'],
    ['late', 'LATE'],
    ['refused', 'REFUSED'],
    ['failed', 'NO SIGNAL'],
  ] as const)('translates %s', (condition, text) => {
    const label = show(condition);
    expect([label.get('.word').text(), label.get('footer').classes()]).toEqual([text, ['umd', condition]]);
  });

  it('shows known facts, the most important first', () => {
    const facts = factsOf({ ...aStream(), fps: null, bitrate: 4_020 });
    const texts = show('live', { facts })
      .findAll('.second span')
      .map((fact) => fact.text());
    expect(texts).toEqual(['4.02 Mbit/s', '640×360', 'H.264', 'AAC stereo']);
  });

  it('shows no facts of a stream without media', () => {
    const facts = factsOf({ ...aStream(), bitrate: 0, fps: null, media_info: null });
    expect(show('starting', { facts }).get('.second').text()).toBe('');
  });
});

describe('TileSignal', () => {
  const show = (ageMs: number | null, change: object = {}): string =>
    desk.mount(TileSignal, { props: { state: aStream(change), ageMs, serverNowMs: NOW } }).text();

  it('shows durations with days', () => {
    expect(show(2 * 86_400_000 + 3_600_000)).toContain('2 d 1:00:00');
  });

  it('shows the code of an unknown problem', () => {
    const text = show(1_000, { problems: [{ code: 'odd_thing', detail: 'x', at: 1, count: 1 }] });
    expect(text).toContain('odd_thing');
  });

  it('shows the time of the loss, also if no frame ever arrived', () => {
    expect(show(null)).not.toContain('since');
    useAlarmsStore().set([anAlarm('a', { raised_at: NOW - 65_000 })]);
    expect(show(null)).toMatch(/No signal1:05since \d\d:/);
  });

  it('mentions no attempts if there were none', () => {
    expect(show(1_000)).not.toContain('tried');
  });
});

describe('TileTiming', () => {
  it.each([
    [999, ''],
    [1_000, 'warn'],
    [5_000, 'alarm'],
  ])('marks a frame of %i ms as %j', (ageMs, level) => {
    const timing = desk.mount(TileTiming, { props: { latencyMs: () => null, ageMs: () => ageMs } });
    desk.frame(1_000);
    const [latency, age] = timing.findAll('b');
    expect([latency?.text(), age?.attributes('class') ?? '']).toEqual(['–', level]);
  });

  it('explains its terms', () => {
    const timing = desk.mount(TileTiming, { props: { latencyMs: () => null, ageMs: () => null } });
    expect(timing.findAll('span').map((span) => span.attributes('title'))).toEqual([
      expect.stringContaining('server’s clock'),
      expect.stringContaining('last frame'),
    ]);
  });
});

describe('the overlays of a tile', () => {
  function show(condition: StreamCondition, phase: PlayerPhase, missing: string | null = null): VueWrapper {
    const state = aStream({ publish_urls: ['rtmp://h/static/cam1'] });
    const canPlay = condition === 'live' || condition === 'late';
    const view: TileView = {
      state: computed(() => state),
      name: computed(() => 'cam1'),
      ageMs: computed(() => 40),
      condition: computed(() => condition),
      canPlay: computed(() => canPlay),
      hasVideo: computed(() => true),
      facts: computed(() => factsOf(state)),
      serverNowMs: computed(() => NOW),
      codecs: computed(() => ''),
      mediaUrl: (path) => path,
      exactAgeMs: () => 40,
    };
    const player: TilePlayerHandle = {
      phase: ref(phase),
      detail: ref('no decoder'),
      missing: ref(missing),
      sound: shallowRef(null),
      hasLastFrame: ref(false),
      playingAtMs: () => null,
      edgeDistanceMs: () => null,
    };
    return desk.mount(TileOverlay, {
      props: { view, player, isVisible: true, isSolo: false, stills: null, overlays: ['centre'] },
    });
  }

  it('are also shown over stills', () => {
    const overlay = show('live', 'stills', 'hvc1');
    const [still, marks] = ['.stills', '[data-test=marks]'].map((part) => overlay.get(part).element);
    expect(still?.compareDocumentPosition(marks as Node)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  const parts = (overlay: VueWrapper): boolean[] =>
    ['.waiting', '.signal', '.stills', '.note', '.missing'].map((part) => overlay.find(part).exists());

  it.each([
    ['waiting', 'idle', null, '.waiting'],
    ['refused', 'idle', null, '.waiting'],
    ['lost', 'stalled', null, '.signal'],
    ['failed', 'idle', 'ac-3', '.signal'],
    ['live', 'loading', null, '.note'],
    ['late', 'stalled', null, '.note'],
    ['live', 'playing', null, ''],
    ['live', 'playing', 'ac-3', '.missing'],
    ['live', 'stills', 'hvc1', '.stills .missing'],
  ] as const)('in the condition %s and player phase %s, without %s, are: %s', (condition, phase, missing, shown) => {
    const expected = ['.waiting', '.signal', '.stills', '.note', '.missing'].map((part) =>
      shown.split(' ').includes(part),
    );
    expect(parts(show(condition, phase, missing))).toEqual(expected);
  });
});
