import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StreamQuality } from '../../../src-preload/contract/api/streams.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import LineGraph from '../../ui/LineGraph.vue';
import StreamGraphs from './StreamGraphs.vue';
import { TEXTS } from './texts.ts';

const FROM = Date.UTC(2027, 0, 15, 12);
const quality = (more: Partial<StreamQuality> = {}): StreamQuality => ({
  from_at: FROM,
  step_ms: 10_000,
  bitrate: [null, 2000, 1500],
  fps: [null, 25, 12.5],
  errors: [0, 0, 3],
  latency: [null, null, null],
  viewers: [0, 1, 2],
  ...more,
});
let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers();
  desk = new TestDesk();
  desk.setServer();
});
afterEach(() => vi.useRealTimers());

describe('StreamGraphs', () => {
  it('shows the last values and their times, and reloads', async () => {
    desk.bridge.answers['streams.quality'] = quality();
    const graphs = desk.mount(StreamGraphs, { props: { name: 'cam1' } });
    expect(graphs.text()).toContain(TEXTS.graphs.loading);
    await flushPromises();
    const labels = (): (string | undefined)[] => graphs.findAll('figure').map((one) => one.attributes('aria-label'));
    expect(labels()).toEqual(['Bitrate: 1.50 Mbit/s', 'Frame rate: 12.5 fps', 'Errors: 3/s', 'Viewers: 2']);
    expect(graphs.getComponent(LineGraph).props('times')).toEqual([0, 10, 20].map((second) => FROM / 1000 + second));
    desk.bridge.answers['streams.quality'] = quality({ viewers: [1, 2, 9] });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(labels().at(-1)).toBe('Viewers: 9');
    await graphs.setProps({ name: 'cam2' });
    expect(desk.bridge.calls).toContainEqual(['streams.quality', { name: 'cam2' }]);
  });

  it('shows that there are no values, and why they cannot be loaded', async () => {
    const none = [null, null, null];
    desk.bridge.answers['streams.quality'] = quality({ bitrate: none });
    const empty = desk.mount(StreamGraphs, { props: { name: 'cam1' } });
    await flushPromises();
    expect(empty.text()).toContain(TEXTS.graphs.none);
    desk.bridge.errors['streams.quality'] = { code: 'stream_not_found', message: '' } as never;
    const failed = desk.mount(StreamGraphs, { props: { name: 'gone' } });
    await flushPromises();
    expect(failed.get('[role=alert]').text()).not.toBe('');
  });
});
