import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import BreakList from './BreakList.vue';
import BreaksPage from './BreaksPage.vue';
import ClipTable from './ClipTable.vue';
import { useBreaksStore } from './store.ts';

const NOW = Date.UTC(2027, 0, 15, 12, 0, 0);
let desk: TestDesk;
let nextId: number;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  desk = new TestDesk();
  desk.setServer();
  nextId = 1;
  return () => vi.useRealTimers();
});

const COMMON = { utc_ms: NOW, server: 'studio', media: 'cam1' };
const out = (at: number, duration: number): ServerEvent => ({
  ...{ ...COMMON, event: 'splice_point', kind: 'out', command: 'splice_insert', at, duration, auto_return: true },
  event_id: nextId++,
});
const ad = (dts: number, session: string): ServerEvent => ({
  ...{ ...COMMON, event: 'ad_inject', path: 'ads/a.mp4', placement: 'midroll', midroll_insert_by: 'splicing' },
  ...{ duration: 4, dts, session_id: session, event_id: nextId++ },
});
const rowsOf = (page: VueWrapper): string[] => page.findAll('tbody tr').map((row) => row.text());

describe('the page of breaks', () => {
  it('waits, and says where breaks come from when there are none', async () => {
    desk.bridge.setLink({ phase: 'connecting' });
    const page = desk.mount(BreaksPage);
    expect(page.text()).toContain('Waiting for the server');
    desk.bridge.answers['events.recent'] = { events: [] };
    desk.bridge.setLink({ phase: 'live' });
    await flushPromises();
    expect(page.text()).toContain('No stream has marked a break yet');
  });

  it('has what the server remembers, what comes, and each event once', async () => {
    const old = out(NOW - 60_000, 30_000);
    desk.bridge.answers['events.recent'] = { events: [old] };
    const page = desk.mount(BreaksPage);
    await flushPromises();
    const next = out(NOW + 5000, 30_000);
    desk.bridge.send('events', { is_snapshot: false, events: [old, next], skipped: 0 });
    await flushPromises();
    expect(rowsOf(page).map((row) => /Announced|On air|Over/.exec(row)?.[0])).toEqual(['Announced', 'Over']);
  });
});

describe('the list of breaks', () => {
  it('says how each stands, how long it is, and how many viewers were shown something', () => {
    useBreaksStore().take([
      out(NOW - 10_000, 30_000),
      ad(NOW - 9000, 's1'),
      ad(NOW - 5000, 's1'),
      ad(NOW - 5000, 's2'),
    ]);
    expect(rowsOf(desk.mount(BreakList))[0]).toMatch(/cam1.*On air.*0:30.*3 clips, 2 viewers/);
  });

  it('selects a break by a click, and leaves it by another', async () => {
    useBreaksStore().take([out(NOW, 30_000)]);
    const list = desk.mount(BreakList);
    await list.get('tbody button').trigger('click');
    expect(list.get('tbody tr').attributes('aria-selected')).toBe('true');
    await list.get('tbody tr').trigger('click');
    expect(useBreaksStore().selected).toBeNull();
  });
});

describe('the clips that were shown', () => {
  it('are all of them, the newest first, or those of the selected break with its marks', async () => {
    const breaks = useBreaksStore();
    const clips = desk.mount(ClipTable);
    expect(clips.text()).toContain('No viewer was shown a clip');
    breaks.take([out(NOW, 10_000), ad(NOW, 's1'), ad(NOW + 20_000, 's2')]);
    await flushPromises();
    expect(rowsOf(clips).map((row) => row.slice(-2))).toEqual(['s2', 's1']);
    breaks.select(breaks.breaks[0]?.key ?? '');
    await flushPromises();
    expect(rowsOf(clips).map((row) => row.slice(-2))).toEqual(['s1']);
    expect(clips.get('.marks').text()).toContain('out splice_insert');
    await clips.get('header button').trigger('click');
    expect(rowsOf(clips)).toHaveLength(2);
  });
});
