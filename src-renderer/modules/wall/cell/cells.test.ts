import type { VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick, type Component } from 'vue';
import type { WallTile } from '../../../../src-preload/contract/operations/wall-calls.ts';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useStreamsStore } from '../../../domain/streams/store.ts';
import CellArchive from './CellArchive.vue';
import CellClock from './CellClock.vue';
import CellLabel from './CellLabel.vue';
import CellMeters from './CellMeters.vue';
import CellStill from './CellStill.vue';
import CellWeb from './CellWeb.vue';
import FixedCell from './FixedCell.vue';

const played = vi.hoisted(() => ({ urls: [] as string[], say: [] as ((phase: string) => void)[], closed: 0 }));
vi.mock('../player/tile-player.ts', () => ({
  TilePlayer: class {
    constructor(_: unknown, url: () => string, onPhase: (phase: string) => void) {
      played.urls.push(url());
      played.say.push(onPhase);
    }
    start(): void {}
    close(): void {
      played.closed++;
    }
  },
}));

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer({ wall_origins: ['https://graph.example'] });
  desk.setStreams(aStream());
  Object.assign(played, { urls: [], say: [], closed: 0 });
});

const show = (tile: WallTile, isVisible = true): VueWrapper =>
  desk.mount(FixedCell, { props: { tile, isVisible, overlays: [] } });
const report = (): object => useStreamsStore().byName.get('cam1')!;
const alone = (component: Component, props: object): VueWrapper => desk.mount(component, { props });

describe('cells of the wall without a live tile', () => {
  it('show the archive with an offset, report gaps, and stop while hidden', async () => {
    const cell = show({ kind: 'archive', stream: 'cam1', seconds_behind: 90 });
    await nextTick();
    expect(played.urls).toEqual(['http://desk.example/cam1/timeshift_rel-90.m3u8']);
    expect(cell.text()).toContain('cam1');
    expect(cell.text()).toContain('−1:30');
    played.say[0]?.('stalled');
    await nextTick();
    expect(cell.get('[role=status]').text()).toContain('Nothing is recorded');
    for (const phase of ['playing', 'stalled']) {
      played.say[0]?.(phase);
      await nextTick();
    }
    expect(cell.get('[role=status]').text()).toContain('froze');
    await cell.setProps({ isVisible: false });
    expect([played.urls.length, played.closed]).toEqual([1, 1]);
    alone(CellArchive, { report: report(), delaySeconds: 5, isVisible: false, overlays: [] });
    expect(played.urls).toHaveLength(1);
  });

  it('show a still, or the levels of a stream', async () => {
    expect(show({ kind: 'still', stream: 'cam1' }).get('img').attributes('src')).toContain('/cam1/preview.jpg');
    expect(alone(CellStill, { report: report(), isVisible: false, overlays: [] }).find('img').exists()).toBe(false);
    const levels = show({ kind: 'meters', stream: 'cam1' });
    await nextTick();
    expect(levels.find('.meters').exists()).toBe(true);
    expect(played.urls).toEqual(['http://desk.example/cam1/a1/index.m3u8']);
    alone(CellMeters, { report: report(), isVisible: false, overlays: [] });
    expect(played.urls).toHaveLength(1);
    expect(alone(CellLabel, { name: 'cam1', description: 'levels' }).text()).toBe('cam1levels');
  });

  it('show the overlays of the cell', () => {
    const overlays = ['safe_areas', 'technical', 'scale'];
    for (const tile of [
      { kind: 'still', stream: 'cam1' },
      { kind: 'archive', stream: 'cam1', seconds_behind: 9 },
    ]) {
      const cell = desk.mount(FixedCell, { props: { tile, isVisible: true, overlays } });
      expect(cell.findAll('[data-test=marks] .light rect')).toHaveLength(2);
      expect(cell.get('[data-test=technical]').text()).toContain('H.264');
    }
    const levels = desk.mount(FixedCell, {
      props: { tile: { kind: 'meters', stream: 'cam1' }, isVisible: true, overlays },
    });
    expect(levels.find('[data-test=scale]').exists()).toBe(true);
  });

  it('show the time or a text, and report missing streams', () => {
    expect(show({ kind: 'clock', zone: 'utc' }).text()).toMatch(/\d\d:\d\d:\d\d.*UTC/);
    expect(alone(CellClock, { zone: 'local' }).text()).toContain('Local');
    expect(show({ kind: 'text', text: 'Studio 1\nNEWS' }).get('.text').text()).toBe('Studio 1\nNEWS');
    expect(show({ kind: 'penalty' }).text()).toBe('No alarm');
    expect(show({ kind: 'still', stream: 'gone' }).text()).toContain('is not on the server');
  });

  it('show a page of an allowed origin in a sandboxed frame, or why it is not shown', () => {
    const frame = show({ kind: 'web', url: 'https://graph.example/board' });
    // The test document is not served by a server.
    expect(frame.find('iframe').exists() || frame.text().includes('in a browser')).toBe(true);
    const refused = alone(CellWeb, { url: 'nothing', isVisible: true });
    expect(refused.get('[role=status]').text()).toContain('not the address of a web page');
    expect(refused.find('iframe').exists()).toBe(false);
  });
});
