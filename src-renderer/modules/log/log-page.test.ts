import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { formatDayTime } from '../../lib/format.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import LogPage from './LogPage.vue';
import { useLogStore } from './store.ts';

let desk: TestDesk;
beforeEach(() => {
  localStorage.clear();
  desk = new TestDesk();
  // A document without layout has no heights; this height decides how many rows the list draws.
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 600 });
});

const NOW = Date.UTC(2027, 0, 15, 12, 0, 0, 250);
const anEvent = (id: number, more: Record<string, string | number> = {}): ServerEvent => ({
  event: 'stream_opened',
  event_id: id,
  utc_ms: NOW + id,
  server: 'studio',
  media: 'cam1',
  ...more,
});
const open = async (address = '/log'): Promise<VueWrapper> => {
  await desk.router.push(address);
  desk.setServer();
  const page = desk.mount(LogPage, { isAttached: true });
  await flushPromises();
  return page;
};
const send = async (...events: ServerEvent[]): Promise<void> => {
  desk.bridge.send('events', { is_snapshot: false, events, skipped: 0 });
  await flushPromises();
};
const selectedTime = (page: VueWrapper): string | undefined =>
  page.find('.rows [aria-selected=true] time').attributes('datetime');
const rows = (page: VueWrapper): string[] => page.findAll('.rows .row').map((row) => row.text());

describe('LogPage', () => {
  it('shows messages while it loads and if there are no events, and lists new events first', async () => {
    const page = await open();
    expect(page.get('.empty').text()).toBe('Loading the log');
    desk.bridge.send('events', { is_snapshot: true, events: [], skipped: 0 });
    await nextTick();
    expect(page.get('.empty').text()).toBe('No events yet');
    await send(anEvent(1), anEvent(2, { event: 'publish_refused', detail: 'The password is wrong', ip: '192.0.2.7' }));
    const [newest, oldest] = rows(page);
    expect(newest).toMatch(/cam1.*Encoder 192\.0\.2\.7 was refused for cam1 · The password is wrong$/);
    expect(oldest).toContain('Stream cam1 started');
  });

  it('goes to the events around a typed time, and pauses there', async () => {
    const page = await open();
    const MINUTE_MS = 60_000;
    const events = Array.from({ length: 2000 }, (_, id) => anEvent(id, { utc_ms: NOW + id * MINUTE_MS }));
    await send(...events);
    const go = async (ms: number): Promise<void> => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 't', bubbles: true }));
      await nextTick();
      const field = page.get<HTMLInputElement>('[data-test=time]');
      expect(document.activeElement).toBe(field.element);
      await field.setValue(formatDayTime(ms));
      await field.trigger('keydown', { key: 'Enter' });
      await flushPromises();
    };
    await go(NOW + 1200.5 * MINUTE_MS);
    expect(selectedTime(page)).toBe(new Date(NOW + 1200 * MINUTE_MS).toISOString());
    expect(useLogStore().pausedAt).not.toBeNull();
    // Without an event before it, the first one is shown.
    await go(NOW - MINUTE_MS);
    expect(selectedTime(page)).toBe(new Date(NOW).toISOString());
    await page.get('[data-test=time]').setValue('');
    expect(page.get('[data-test=go]').attributes('disabled')).toBe('');
  });

  it('shows each event once after a reconnection, and starts over with another server', async () => {
    const page = await open();
    await send(anEvent(1), anEvent(2));
    desk.bridge.send('events', { is_snapshot: true, events: [anEvent(2), anEvent(3)], skipped: 0 });
    await nextTick();
    expect(useLogStore().events.map(({ event_id: id }) => id)).toEqual([1, 2, 3]);
    desk.bridge.send('events', { is_snapshot: true, events: [anEvent(1, { media: 'other' })], skipped: 0 });
    await nextTick();
    expect(rows(page)).toHaveLength(1);
  });

  it('contains earlier events of a first snapshot that arrives after new events', async () => {
    await open();
    await send(anEvent(3), anEvent(4));
    desk.bridge.send('events', { is_snapshot: true, events: [1, 2, 3, 4].map((id) => anEvent(id)), skipped: 0 });
    await nextTick();
    expect(useLogStore().events.map(({ event_id: id }) => id)).toEqual([1, 2, 3, 4]);
  });

  it('stays live while an event is open, and pauses only by the button', async () => {
    const page = await open();
    await send(anEvent(1), anEvent(2));
    await page.findAll('.rows .row')[1]?.trigger('click');
    await send(anEvent(3), anEvent(4));
    expect([rows(page).length, page.find('aside').exists()]).toEqual([4, true]);
    await page.get('[data-test=pause]').trigger('click');
    await send(anEvent(5), anEvent(6));
    expect(rows(page)).toHaveLength(4);
    expect(page.get('[data-test=resume]').text()).toBe('Resume (2 new)');
    await page.get('[data-test=resume]').trigger('click');
    expect(rows(page)).toHaveLength(6);
  });

  it('explains an event with all its fields, and links to its stream', async () => {
    const page = await open();
    desk.setStreams(aStream());
    await send(anEvent(1), anEvent(2, { media: 'gone', reason: 'closed by the encoder' }));
    await page.get('.rows').trigger('keydown', { key: 'ArrowDown' });
    const details = page.get('aside');
    expect(details.text()).toMatch(/stream_opened.*2027-01-15T12:00:00\.252Z.*gone.*reason.*closed by the encoder/s);
    expect(details.findAll('a').map((link) => link.attributes('href'))).toEqual([
      '/archive?stream=gone&at=2027-01-15T12:00:00.252Z',
    ]);
    await page.get('.rows').trigger('keydown', { key: 'ArrowDown' });
    expect(page.get('aside a').attributes('href')).toBe('/wall?solo=cam1');
    await page.get('.rows').trigger('keydown', { key: 'Escape' });
    expect(page.find('aside').exists()).toBe(false);
  });

  it('keeps its filter in the address and on this machine, and resets it', async () => {
    const page = await open('/log?media=cam2&level=warn');
    await send(anEvent(1), anEvent(2, { media: 'cam2', event: 'publish_refused' }));
    expect(rows(page)).toHaveLength(1);
    await page.findAll('input')[1]?.setValue('nothing like it');
    await flushPromises();
    expect(desk.router.currentRoute.value.query).toEqual({ media: 'cam2', level: 'warn', text: 'nothing like it' });
    expect(page.get('.empty').text()).toContain('None of 2 events match');
    await page.get('.empty button').trigger('click');
    expect(rows(page)).toHaveLength(2);
    page.unmount();
    const again = await open();
    expect(again.find('select').element.value).toBe('debug');
  });

  it('shows a range of times, the start of the log, and saves the events as a file', async () => {
    const saved: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      void (blob as Blob).text().then((text) => saved.push(text));
      return 'blob:log';
    });
    const page = await open();
    await send(anEvent(1), anEvent(61_000, { media: 'cam2' }), anEvent(130_000));
    const local = (ms: number): string => formatDayTime(ms).replace(' ', 'T');
    await page.get('[data-test=from]').setValue(local(NOW + 60_000));
    await page.get('[data-test=to]').setValue(local(NOW + 120_000));
    expect(rows(page)).toHaveLength(1);
    expect(page.find('.start').exists()).toBe(false);
    await page.get('[data-test=csv]').trigger('click');
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.split('\r\n')).toEqual([
      'Time,Level,Stream,Kind,Message',
      '2027-01-15T12:01:01.250Z,Info,cam2,stream_opened,Stream cam2 started',
      '',
    ]);
    await page.get('[data-test=from]').setValue(local(NOW - 60_000));
    expect(page.get('.start').text()).toBe(`The log starts at ${formatDayTime(NOW + 1)}.`);
    vi.restoreAllMocks();
    page.unmount();
  });

  it('draws only visible rows of many events', async () => {
    const page = await open();
    await send(...Array.from({ length: 20_000 }, (_, id) => anEvent(id)));
    expect(useLogStore().events).toHaveLength(10_000);
    expect(rows(page).length).toBeLessThan(100);
  });
});
