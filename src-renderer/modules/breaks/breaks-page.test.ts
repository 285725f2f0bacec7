import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import AdExplanation from './AdExplanation.vue';
import BreakList from './BreakList.vue';
import BreaksPage from './BreaksPage.vue';
import ClipTable from './ClipTable.vue';
import SpliceForm from './SpliceForm.vue';
import { useBreaksStore } from './store.ts';

const NOW = Date.UTC(2027, 0, 15, 12, 0, 0);
let desk: TestDesk;
let nextId: number;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  desk = new TestDesk();
  desk.setServer();
  nextId = 1;
  desk.bridge.answers['ads.as_run'] = { rows: [], count: 0 };
  return () => vi.useRealTimers();
});

const COMMON = { utc_ms: NOW, server: 'studio', media: 'cam1' };
const out = (
  at: number,
  duration: number,
  more: Readonly<Record<string, number | string | boolean>> = {},
): ServerEvent => ({
  ...COMMON,
  event: 'splice_point',
  kind: 'out',
  command: 'splice_insert',
  at,
  duration,
  auto_return: true,
  ...more,
  event_id: nextId++,
});
const ad = (dts: number, session: string, more: Readonly<Record<string, number | string>> = {}): ServerEvent => ({
  ...COMMON,
  event: 'ad_inject',
  showing_id: `${session}-${dts}`,
  path: 'ads/a.mp4',
  placement: 'midroll',
  midroll_insert_by: 'splicing',
  duration: 4,
  dts,
  session_id: session,
  event_id: nextId++,
  ...more,
});
const sent = (dts: number, session: string, progress: number): ServerEvent =>
  ad(dts, session, { event: 'ad_progress', progress });
const skipped = (session: string, path: string | null): ServerEvent => ({
  ...COMMON,
  event: 'ad_skipped',
  path,
  placement: 'midroll',
  break_id: `splice-${NOW}`,
  session_id: session,
  reason: path === null ? 'break_without_clips' : 'clip_differs',
  detail: 'v1.width is 640, not 1280',
  event_id: nextId++,
});
const rowsOf = (page: VueWrapper): string[] => page.findAll('tbody tr').map((row) => row.text());

describe('BreaksPage', () => {
  it('shows a loading message, and explains breaks if there are none', async () => {
    desk.bridge.setLink({ phase: 'connecting' });
    const page = desk.mount(BreaksPage);
    expect(page.text()).toContain('Loading breaks');
    desk.bridge.answers['events.recent'] = { events: [] };
    desk.bridge.setLink({ phase: 'live' });
    await flushPromises();
    expect(page.text()).toContain('No breaks yet');
  });

  it('shows stored, announced and new breaks, each once', async () => {
    const old = out(NOW - 60_000, 30_000);
    desk.bridge.answers['events.recent'] = { events: [old] };
    const page = desk.mount(BreaksPage);
    await flushPromises();
    const next = out(NOW + 5000, 30_000);
    desk.bridge.send('events', { is_snapshot: false, events: [old, next], skipped: 0 });
    await flushPromises();
    expect(rowsOf(page).map((row) => /Announced|On air|Ended/.exec(row)?.[0])).toEqual(['Announced', 'Ended']);
  });
});

describe('BreakList', () => {
  it('shows state, duration and number of viewers with clips', () => {
    useBreaksStore().addEvents([
      out(NOW - 10_000, 30_000),
      ad(NOW - 9000, 's1'),
      ad(NOW - 5000, 's1'),
      ad(NOW - 5000, 's2'),
    ]);
    expect(rowsOf(desk.mount(BreakList))[0]).toMatch(/cam1.*On air.*0:30.*3 clips, 2 viewers/);
  });

  it('selects a break with a click, and deselects it with another', async () => {
    useBreaksStore().addEvents([out(NOW, 30_000)]);
    const list = desk.mount(BreakList);
    await list.get('tbody button').trigger('click');
    expect(list.get('tbody tr').attributes('aria-selected')).toBe('true');
    await list.get('tbody tr').trigger('click');
    expect(useBreaksStore().selected).toBeNull();
  });
});

describe('ClipTable', () => {
  it('lists clips, newest first: all, or those of the selected break with its marks', async () => {
    const breaks = useBreaksStore();
    const clips = desk.mount(ClipTable);
    // Before the first answer, nothing is known.
    expect(clips.text()).not.toContain('No clip was sent');
    breaks.addEvents([]);
    await flushPromises();
    expect(clips.text()).toContain('No clip was sent');
    breaks.addEvents([out(NOW, 10_000), ad(NOW, 's1'), ad(NOW + 20_000, 's2')]);
    await flushPromises();
    expect(rowsOf(clips).map((row) => /s\d/.exec(row)?.[0])).toEqual(['s2', 's1']);
    breaks.select(breaks.breaks[0]?.key ?? '');
    await flushPromises();
    expect(rowsOf(clips).map((row) => /s\d/.exec(row)?.[0])).toEqual(['s1']);
    expect(clips.get('.marks').text()).toContain('out splice_insert · for ');
    await clips.get('header button').trigger('click');
    expect(rowsOf(clips)).toHaveLength(2);
  });
});

describe('a partly sent clip', () => {
  it('shows its sent part, and is counted as sent in part', async () => {
    const recorded = [out(NOW, 30_000), ad(NOW, 's1'), ad(NOW + 6000, 's1'), ad(NOW + 12_000, 's1')];
    const progress = [25, 50, 75, 100].map((percent) => sent(NOW, 's1', percent));
    desk.bridge.answers['events.recent'] = { events: [...recorded, ...progress] };
    const page = desk.mount(BreaksPage);
    await flushPromises();
    const results = (): string[] => page.findAll('.result').map((cell) => cell.text());
    expect(results()).toEqual(['less than 25 % of 4 s sent', 'less than 25 % of 4 s sent', 'sent in full, 4 s']);
    desk.bridge.send('events', { is_snapshot: false, events: [sent(NOW + 12_000, 's1', 25)], skipped: 0 });
    await flushPromises();
    expect(results()).toEqual(['at least 25 % of 4 s sent', 'less than 25 % of 4 s sent', 'sent in full, 4 s']);
    expect(rowsOf(page)[0]).toContain('3 clips, 2 in part, 1 viewer');
  });

  it('has no sent part if its progress is no longer recorded, or hidden from the caller', () => {
    const breaks = useBreaksStore();
    const early = ad(NOW, 's1');
    breaks.loadProgress([sent(NOW + 6000, 's2', 25)], false);
    breaks.addEvents([early, ad(NOW + 6000, 's2'), ad(NOW + 9000, 's3', { showing_id: '********' })]);
    expect(breaks.clips.map(({ progress }) => progress)).toEqual([null, 25, null]);
  });

  it('has the exact sent time of the as-run log, which also fills the break', async () => {
    desk.bridge.answers['events.recent'] = {
      events: [out(NOW - 20_000, 8000), ad(NOW - 20_000, 's1'), ad(NOW - 16_000, 's1'), sent(NOW - 16_000, 's1', 25)],
    };
    desk.bridge.answers['ads.as_run'] = {
      rows: [
        { id: `s1-${NOW - 20_000}`, sent: 4 },
        { id: `s1-${NOW - 16_000}`, sent: 1.771 },
      ],
      count: 2,
    };
    const page = desk.mount(BreaksPage);
    await flushPromises();
    expect(page.findAll('.result').map((cell) => cell.text())).toEqual(['1.8 s of 4 s sent', 'sent in full, 4 s']);
    expect(rowsOf(page)[0]).toMatch(/2 clips, 1 in part, 1 viewer72 %/);
  });
});

describe('the marks of a break', () => {
  it('are decoded, with the section to copy', async () => {
    const breaks = useBreaksStore();
    const mark = out(NOW + 4000, 30_000, {
      splice_event_id: 7,
      auto_return: false,
      segmentation_type: 'Provider Placement Opportunity Start',
      upid_type: 'Ad-ID',
      upid: 'ABCD0123000H',
      section: '/DAlAAA=',
    });
    breaks.addEvents([mark]);
    breaks.select(breaks.breaks[0]?.key ?? '');
    const text = desk.mount(ClipTable).get('.marks').text();
    for (const part of ['event 7', 'duration 30 s', 'needs a mark to end', 'Provider Placement Opportunity Start'])
      expect(text).toContain(part);
    for (const part of ['Ad-ID ABCD0123000H', 'announced at', '/DAlAAA=']) expect(text).toContain(part);
  });
});

describe('an omitted clip', () => {
  it('is listed in its break with the reason, and is not counted as sent', async () => {
    const breaks = useBreaksStore();
    breaks.addEvents([out(NOW, 10_000), skipped('s1', 'ads/b.mp4'), skipped('s1', null), ad(NOW, 's2')]);
    expect(rowsOf(desk.mount(BreakList))[0]).toContain('1 clip, 1 viewer');
    breaks.select(breaks.breaks[0]?.key ?? '');
    const clips = desk.mount(ClipTable);
    await flushPromises();
    expect(rowsOf(clips)).toEqual([
      expect.stringMatching(/ads\/a\.mp4sent, 4 s; how much is unknownsplice point.*s2/),
      expect.stringMatching(/the whole breakskipped: none of its clips can be shownsplice point.*s1/),
      expect.stringMatching(/ads\/b\.mp4skipped: it does not match the streamsplice point.*s1/),
    ]);
    expect(clips.get('.bad').attributes('title')).toBe('v1.width is 640, not 1280');
  });
});

describe('AdExplanation', () => {
  const EXPLANATION = {
    session_id: 's1',
    answer: { midroll: ['ads/a.mp4', 'ads/b.mp4'] },
    faults: [],
    notes: ['v is not said: 2', 'preroll is a text'],
    explanations: [
      { code: 'from_a_newer_server', facts: {} },
      because('single_clip', { field: 'preroll' }).explanation,
    ],
    clips: [
      { path: 'ads/a.mp4', state: 'ready', detail: '', duration: 4, differences: [] },
      {
        path: 'ads/b.mp4',
        state: 'clip_differs',
        detail: 'another size',
        duration: 4,
        differences: [{ field: 'v1.width', clip: 640, stream: 1280 }],
      },
    ],
    breaks: [
      {
        break_id: 'splice-1',
        placement: 'midroll',
        at: NOW,
        skipped: [],
        clips: [
          { path: 'ads/a.mp4', at: NOW, clip_segments: 4, planned_segments: 4, planned_duration: 4, sent_segments: 3 },
        ],
      },
    ],
    shown: [],
    skipped: [
      {
        path: 'ads/b.mp4',
        placement: 'midroll',
        at: NOW,
        reason: 'clip_differs',
        detail: 'another size',
        differences: [],
      },
      { path: null, placement: 'midroll', at: NOW, reason: 'break_without_clips', detail: '', differences: [] },
    ],
  };

  it('lists sent and omitted clips with reasons, and the answer of the backend', async () => {
    desk.bridge.answers['ads.explain'] = EXPLANATION;
    const shown = desk.mount(AdExplanation, { props: { name: 'cam1', sessionId: 's1' } });
    expect(shown.text()).toBe('Loading');
    await flushPromises();
    expect(desk.bridge.calls.at(-1)).toEqual(['ads.explain', { name: 'cam1', session: 's1' }]);
    const text = shown.text();
    for (const part of [
      'v is not said: 2',
      'preroll is a text, and is read as a list of one clip',
      'v1.width: the clip has 640, the stream 1280',
      'ads/a.mp4: 3 of 4 segments sent',
      'fits the stream',
      '· splice point',
      'ads/b.mp4: it does not match the stream: another size',
      'the whole break: none of its clips can be shown',
      '"ads/b.mp4"',
    ])
      expect(text).toContain(part);
  });

  it('shows that the session has ended, and opens from a clip', async () => {
    desk.bridge.errors['ads.explain'] = { code: 'session_not_found', message: 'cam1 has no session s1' };
    useBreaksStore().addEvents([ad(NOW, 's1')]);
    const clips = desk.mount(ClipTable, { isAttached: true });
    await clips.get('tbody .small').trigger('click');
    await flushPromises();
    expect(document.querySelector('[role=dialog]')?.textContent).toContain('cam1 has no session s1');
    document.body.replaceChildren();
  });
});

describe('a manual break', () => {
  const marks = (): unknown[] =>
    desk.bridge.calls.filter(([name]) => name === 'ads.splice_insert').map(([, input]) => input);

  it('starts with or without a duration, and ends', async () => {
    desk.setStreams(aStream(), aStream({ name: 'cam2' }));
    const form = desk.mount(SpliceForm);
    await form.trigger('submit');
    await form.get('select').setValue('cam2');
    await form.get('input').setValue('');
    await form.trigger('submit');
    await form.findAll('button')[1]?.trigger('click');
    await flushPromises();
    expect(marks()).toEqual([
      { name: 'cam1', kind: 'out', duration: 30 },
      { name: 'cam2', kind: 'out' },
      { name: 'cam2', kind: 'in' },
    ]);
    expect(useToastStore().toasts.map(({ text }) => text)).toEqual([
      'cam2 has no break on air. The end was marked anyway.',
    ]);
  });

  it('ends without a warning while it is on air', async () => {
    desk.setStreams(aStream());
    useBreaksStore().addEvents([out(NOW - 1000, 30_000)]);
    await desk.mount(SpliceForm).findAll('button')[1]?.trigger('click');
    await flushPromises();
    expect([marks().length, useToastStore().toasts]).toEqual([1, []]);
  });

  it('is scheduled, and cancelled before its start', async () => {
    desk.setStreams(aStream());
    const form = desk.mount(SpliceForm);
    // The player for viewers: playback in the desk itself has no advertisements.
    expect(form.get('a').attributes('href')).toMatch(/embed\.html$/);
    await form.findAll('input')[1]?.setValue('20');
    await form.trigger('submit');
    useBreaksStore().addEvents([out(NOW + 20_000, 30_000, { splice_event_id: 7 })]);
    const list = desk.mount(BreakList);
    await list.get('tbody .small').trigger('click');
    await flushPromises();
    expect(marks()).toEqual([
      { name: 'cam1', kind: 'out', duration: 30, at: NOW + 20_000 },
      { name: 'cam1', kind: 'cancel', event_id: 7 },
    ]);
  });

  it('shows why it is refused, and is unavailable without a stream or permission', async () => {
    expect(desk.mount(SpliceForm).find('form').exists()).toBe(false);
    desk.setStreams(aStream());
    desk.bridge.errors['ads.splice_insert'] = { code: 'stream_not_running', message: '' };
    await desk.mount(SpliceForm).trigger('submit');
    await flushPromises();
    expect(useToastStore().toasts.map(({ kind }) => kind)).toEqual(['error']);
    desk.setServer({ may_write: false });
    desk.bridge.answers['events.recent'] = { events: [] };
    expect(desk.mount(BreaksPage).text()).not.toContain('Start a break');
  });
});
