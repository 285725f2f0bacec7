import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryHistory, createRouter } from 'vue-router';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import ArchivePage from './ArchivePage.vue';
import { useArchiveStore } from '../store.ts';

const NOW = Date.now();
const HOUR = 3_600_000;
const aStream = (name: string) => ({ name, from: NOW - HOUR, to: NOW, bytes: 1 });

let desk: TestDesk;
beforeEach(() => {
  const page = { template: '<main></main>' };
  const routes = ['archive', 'wall'].map((name) => ({ name, path: `/${name}`, component: page }));
  desk = new TestDesk(createRouter({ history: createMemoryHistory(), routes }));
  desk.bridge.answers['archive.streams'] = { streams: [aStream('cam1'), aStream('cam2')], is_more: false };
  desk.bridge.answers['archive.recorded'] = {
    streams: [{ name: 'cam1', ranges: [{ from: NOW - HOUR, to: NOW }], is_more: false }],
  };
  desk.bridge.answers['archive.exports'] = { jobs: [] };
  desk.bridge.answers['archive.marks'] = { alarms: [], locks: [], notes: [], is_more: false };
});

async function open(address = '/archive?stream=cam1&at=2027-01-15T12:00:00Z', info = {}): Promise<VueWrapper> {
  await desk.router.push(address);
  desk.setServer(info);
  const page = desk.mount(ArchivePage, { isAttached: true });
  await flushPromises();
  return page;
}

describe('ArchivePage', () => {
  it('shows messages while it loads, if the archive cannot be read, and if nothing is recorded', async () => {
    desk.bridge.errors['archive.streams'] = { code: 'forbidden', message: '' };
    const failed = await open('/archive');
    expect(failed.get('[role=alert]').text()).toContain('The archive could not be read');
    failed.unmount();
    delete desk.bridge.errors['archive.streams'];
    desk.bridge.answers['archive.streams'] = { streams: [], is_more: false };
    const empty = await open('/archive');
    expect(empty.get('.empty').text()).toContain('No recordings yet');
    empty.unmount();
  });

  it('opens the streams in its address, loads their ranges, and adds other streams', async () => {
    const page = await open();
    expect(page.findAll('figure').map((one) => one.attributes('data-name'))).toEqual(['cam1']);
    expect(desk.bridge.calls.find(([name]) => name === 'archive.recorded')?.[1]).toMatchObject({
      names: ['cam1'],
      from: 0,
    });
    await page.get('[data-test=stream]').setValue('cam2');
    await flushPromises();
    expect(page.findAll('figure')).toHaveLength(2);
    expect(useArchiveStore().audible).toBe('cam1');
    await page.findAll('figure button')[1]?.trigger('click');
    expect(useArchiveStore().audible).toBe('cam2');
    await page.findAll('li button')[1]?.trigger('click');
    expect([page.findAll('figure').length, useArchiveStore().audible]).toEqual([1, 'cam1']);
    page.unmount();
  });

  it('selects the only stream with an archive', async () => {
    desk.bridge.answers['archive.streams'] = { streams: [aStream('cam1')], is_more: false };
    const page = await open('/archive');
    expect(page.findAll('figure')).toHaveLength(1);
    // The test document cannot play media.
    expect(page.get('.message').text()).toContain('cannot decode');
    page.unmount();
  });

  it('parses typed times, and shows an error for invalid ones', async () => {
    const page = await open();
    const entry = page.get('[data-test=time]');
    await entry.setValue('noon');
    await page.get('.bar form').trigger('submit');
    expect(page.get('.bad').text()).toContain('Enter a time such as');
    await entry.setValue('12:34:56');
    await page.get('.bar form').trigger('submit');
    expect(page.find('.bad').exists()).toBe(false);
    page.unmount();
  });

  it.each(['before', 'after'])(
    'opens at a moment that only the second stream has recorded, if the ranges are loaded %s the pictures',
    async (order) => {
      const at = NOW - HOUR / 2;
      const gap = { from: at - 60_000, to: at + 60_000 };
      const ranges = [
        { from: NOW - HOUR, to: gap.from },
        { from: gap.to, to: NOW },
      ];
      const answer = {
        streams: [
          { name: 'cam1', ranges, is_more: false },
          { name: 'cam2', ranges: [{ from: NOW - HOUR, to: NOW }], is_more: false },
        ],
      };
      desk.bridge.answers['archive.recorded'] = answer;
      if (order === 'after') desk.bridge.errors['archive.recorded'] = { code: 'unavailable', message: '' };
      const page = await open(`/archive?stream=cam1,cam2&at=${new Date(at).toISOString()}`);
      useArchiveStore().setZone('utc');
      if (order === 'after')
        useArchiveStore().setRecorded(new Map(answer.streams.map(({ name, ranges: known }) => [name, known])));
      const time = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
      await vi.waitFor(
        () => expect(page.get('[data-name=cam1] .gap').text()).toBe(`Not recorded ${time(gap.from)}–${time(gap.to)}`),
        20_000,
      );
      expect(page.find('[data-name=cam2] .gap').exists()).toBe(false);
      expect(page.get<HTMLInputElement>('[data-test=time]').element.value.slice(0, 8)).toBe(time(at));
      page.unmount();
    },
  );

  it('switches between local time and UTC, and opens a day with recordings', async () => {
    const page = await open();
    await page.get('[data-test=zone]').trigger('click');
    expect([useArchiveStore().zone, page.get('[data-test=zone]').text()]).toEqual(['utc', 'UTC']);
    await page.get('[data-test=days]').trigger('click');
    await flushPromises();
    const days = [...document.querySelectorAll<HTMLButtonElement>('.calendar .days button')];
    expect(days.filter(({ disabled }) => !disabled).length).toBeGreaterThanOrEqual(1);
    days.find(({ disabled }) => !disabled)?.click();
    await flushPromises();
    page.unmount();
  });

  it('loads all ranges once, and later only new ones', async () => {
    vi.useFakeTimers();
    try {
      desk.bridge.errors['archive.recorded'] = { code: 'forbidden', message: '' };
      const page = await open();
      delete desk.bridge.errors['archive.recorded'];
      desk.bridge.calls.length = 0;
      await vi.advanceTimersByTimeAsync(4000);
      const queries = desk.bridge.calls.filter(([name]) => name === 'archive.recorded').map(([, query]) => query);
      expect(queries).toMatchObject([{ from: 0 }]);
      expect(useArchiveStore().recorded.get('cam1')).toEqual([{ from: NOW - HOUR, to: NOW }]);
      page.unmount();
    } finally {
      vi.useRealTimers();
    }
  });

  it('is controlled by keyboard, except while the operator types', async () => {
    const page = await open();
    const press = (key: string, target: EventTarget = document): boolean =>
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    expect([press('l'), press('k'), press('ArrowLeft'), press('+'), press('a'), press('t'), press('y')]).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(press('l', page.get('[data-test=time]').element)).toBe(true);
    page.unmount();
  });
});
