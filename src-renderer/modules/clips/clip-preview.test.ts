import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import ClipPlayer from './ClipPlayer.vue';
import ClipPreview from './ClipPreview.vue';
import ClipTimeline from './ClipTimeline.vue';
import { fitInput, defaultOptions } from './fit-options.ts';
import FitOptionFields from './FitOptionFields.vue';
import { wavePath } from './wave-path.ts';

/** Fake of the hls.js functions that the preview uses. */
const { FakeHls } = vi.hoisted(() => {
  class Fake {
    static newest: Fake | undefined;
    static readonly Events = { ERROR: 'error', BUFFER_APPENDED: 'appended' };
    static isSupported(): boolean {
      return true;
    }
    source = '';
    readonly listeners = new Map<string, (event: string, data: object) => void>();
    isDestroyed = false;
    constructor() {
      Fake.newest = this;
    }
    on(event: string, listener: (event: string, data: object) => void): void {
      this.listeners.set(event, listener);
    }
    happen(event: string, data: object): void {
      this.listeners.get(event)?.(event, data);
    }
    loadSource(address: string): void {
      this.source = address;
    }
    attachMedia(): void {}
    destroy(): void {
      this.isDestroyed = true;
    }
  }
  return { FakeHls: Fake };
});
vi.mock('hls.js', () => ({ default: FakeHls }));

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  desk.bridge.answers['clips.preview'] = { durationMs: 10_000, pictures: ['AAAA'], peaks: [0.5, 1, -1] };
});

async function open(canConform = true): Promise<VueWrapper> {
  const preview = desk.mount(ClipPreview, { props: { path: 'ads/a b.mp4', canConform, options: defaultOptions() } });
  await flushPromises();
  return preview;
}

describe('the filmstrip of a preview', () => {
  it('has an empty place for a picture that was not found', async () => {
    desk.bridge.answers['clips.preview'] = { durationMs: 10_000, pictures: ['', 'AAAA'], peaks: [] };
    const preview = await open();
    expect(preview.getComponent(ClipPlayer).props('poster')).toBeUndefined();
    const [first, second] = [...preview.get('.pictures').element.children];
    expect([first?.textContent, first?.getAttribute('title')]).toEqual(['–', 'No picture was found in time']);
    expect(second?.getAttribute('src')).toBe('data:image/jpeg;base64,AAAA');
  });
});

describe('ClipPreview', () => {
  it('shows pictures, and links to the player', async () => {
    const preview = await open(false);
    expect(desk.bridge.calls).toContainEqual(['clips.preview', { path: 'ads/a b.mp4' }]);
    expect(preview.get('img').attributes('src')).toBe('data:image/jpeg;base64,AAAA');
    expect(preview.text()).toContain('10.00 s of 10.00 s');
    expect(preview.get('a').attributes('href')).toBe('http://desk.example/ads/a%20b.mp4/embed.html');
    expect(preview.find('form').exists()).toBe(false);
  });

  it('plays the file from in to out, and sets the points to the current picture', async () => {
    const preview = await open();
    expect(FakeHls.newest?.source).toBe('http://desk.example/ads/a%20b.mp4/index.m3u8');
    const video = preview.get('video');
    const [play, pause] = [vi.fn(async () => Promise.resolve()), vi.fn()];
    const element = Object.assign(video.element, { play, pause });
    const show = async (seconds: number): Promise<void> => {
      element.currentTime = seconds;
      await video.trigger('timeupdate');
    };
    const press = async (name: string): Promise<void> => {
      await preview
        .findAll('button')
        .find((one) => one.text() === name)
        ?.trigger('click');
    };
    // Two pictures are decoded ahead of the first one.
    for (const start of [0.5, 4])
      FakeHls.newest?.happen('appended', { timeRanges: { video: { length: 1, start: () => start } } });
    await show(2.5);
    await press('Set in');
    await show(8);
    await press('Set out');
    expect(preview.text()).toContain('5.50 s of 10.00 s');
    await press('Set in');
    await press('Play from in to out');
    expect([element.currentTime, play.mock.calls.length]).toEqual([2.5, 1]);
    await show(7.9);
    expect(pause).not.toHaveBeenCalled();
    await show(8.1);
    expect(pause).toHaveBeenCalledOnce();
    // Moving a point shows its picture.
    await preview.get('[role=slider]').trigger('keydown', { key: 'ArrowRight', shiftKey: true });
    expect(element.currentTime).toBe(3.5);
    expect(preview.get('.head').attributes('style')).toContain('76%');
    // Typing a point shows its picture, too.
    const [typedIn, typedOut] = preview.findAll('input[type=number]');
    await typedIn?.setValue('1.5');
    expect(element.currentTime).toBe(2);
    await typedOut?.setValue('99');
    expect(element.currentTime).toBe(10.5);
    preview.unmount();
    expect(FakeHls.newest?.isDestroyed).toBe(true);
  });

  it('shows that the browser cannot play a file', async () => {
    const player = desk.mount(ClipPlayer, { props: { address: '/ads/raw.mxf/index.m3u8', poster: undefined } });
    FakeHls.newest?.happen('error', { fatal: false });
    await flushPromises();
    expect(player.text()).toBe('');
    FakeHls.newest?.happen('error', { fatal: true });
    await flushPromises();
    expect(player.get('[role=status]').text()).toContain('cannot play this file');
  });

  it('sets in and out points in order, with numbers and keys', async () => {
    const preview = await open();
    const [start, stop] = preview.findAll('input[type=number]');
    await start?.setValue('2.5');
    await stop?.setValue('2');
    expect(preview.get('[type=submit]').attributes('disabled')).toBeDefined();
    await stop?.setValue('4');
    const [inPoint, outPoint] = preview.findAll('[role=slider]');
    await inPoint?.trigger('keydown', { key: 'ArrowLeft' });
    await outPoint?.trigger('keydown', { key: 'ArrowRight', shiftKey: true });
    expect(preview.text()).toContain('2.60 s of 10.00 s');
    await preview.get('form').trigger('submit');
    await outPoint?.trigger('keydown', { key: 'End' });
    await inPoint?.trigger('keydown', { key: 'Home' });
    await preview.get('form').trigger('submit');
    expect(preview.emitted('conform')).toEqual([[{ startMs: 2400, stopMs: 5000 }], [{}]]);
  });

  it('shows why there is no preview, and shows a file without a duration', async () => {
    desk.bridge.errors['clips.preview'] = { code: 'clip_not_made', message: 'no file of a film' };
    expect((await open()).get('[role=alert]').text()).toContain('no file of a film');
    delete desk.bridge.errors['clips.preview'];
    desk.bridge.answers['clips.preview'] = { durationMs: 0, pictures: ['AAAA'], peaks: [] };
    const still = await open();
    expect([still.findAll('img').length, still.find('[role=slider]').exists()]).toEqual([1, false]);
  });
});

it('ClipTimeline moves the nearer point to the pointer, and never beyond the other', async () => {
  const props = { durationMs: 10_000, pictures: [], peaks: [], inMs: 2000, outMs: 5000, atMs: 0 };
  const timeline = desk.mount(ClipTimeline, { props });
  const box = timeline.get('.timeline');
  Object.assign(box.element, {
    getBoundingClientRect: () => ({ left: 100, width: 1000 }),
    setPointerCapture: () => undefined,
  });
  await box.trigger('pointermove', { clientX: 0 });
  await box.trigger('pointerdown', { clientX: 150, pointerId: 1 });
  await box.trigger('pointermove', { clientX: 900, pointerId: 1 });
  await box.trigger('pointerup');
  await box.trigger('pointerdown', { clientX: 2000, pointerId: 1 });
  expect(timeline.emitted('move')).toEqual([
    ['in', 500],
    ['in', 4900],
    ['out', 10_000],
  ]);
  expect(timeline.text()).toContain('No sound');
});

it('FitOptionFields has the settings of a conversion', async () => {
  const fields = desk.mount(FitOptionFields, { props: { modelValue: defaultOptions() } });
  await fields.get('input').setValue(false);
  const [leadIn, multiple] = fields.findAll('select');
  await leadIn?.setValue('2000');
  await multiple?.setValue('4000');
  expect(fields.emitted('update:modelValue')?.map(([options]) => options)).toMatchObject([
    { isLevelled: false },
    { leadInMs: 2000 },
    { multipleMs: 4000 },
  ]);
  expect([fitInput(defaultOptions()), fitInput({ isLevelled: false, leadInMs: 1, multipleMs: 2 })]).toEqual([
    { isLevelled: true },
    { isLevelled: false, leadInMs: 1, multipleMs: 2 },
  ]);
});

it('wavePath draws loudness, with gaps where nothing was measured', () => {
  expect(wavePath([])).toBe('');
  expect(wavePath([1, -1, 0, 0.001])).toBe(
    'M0.0 0.0h250.00v100.0h-250.00zM500.0 49.4h250.00v1.2h-250.00zM750.0 49.4h250.00v1.2h-250.00z',
  );
});
