import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { i18n } from '../../i18n/i18n.ts';
import EventDetails from './EventDetails.vue';
import { eventLine } from './event-lines.ts';
import LogFilters from './LogFilters.vue';
import { useLogStore } from './store.ts';

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
});

const EVENT: ServerEvent = {
  event: 'publish_refused',
  event_id: 7,
  utc_ms: 0,
  server: 'studio',
  media: 'cam1',
  code: null,
};

describe('LogFilters', () => {
  it('changes the filter', async () => {
    const filters = desk.mount(LogFilters);
    const [level, group] = filters.findAll('select');
    await level?.setValue('error');
    await group?.setValue('publishers');
    const [media, text] = filters.findAll('input');
    await media?.setValue('cam');
    await text?.setValue('password');
    expect(useLogStore().filter).toMatchObject({ level: 'error', group: 'publishers', media: 'cam', text: 'password' });
  });

  it('pauses and resumes the log, and shows skipped events', async () => {
    const filters = desk.mount(LogFilters);
    await filters.get('[data-test=pause]').trigger('click');
    expect(useLogStore().pausedAt).toBe(0);
    await filters.get('[data-test=resume]').trigger('click');
    expect(useLogStore().pausedAt).toBeNull();
    useLogStore().apply({ is_snapshot: false, events: [], skipped: 12 });
    await flushPromises();
    expect(filters.text()).toContain('12 skipped');
  });
});

describe('EventDetails', () => {
  it('filters the log by the stream or kind of the event', async () => {
    const [onlyStream, onlyKind] = desk.mount(EventDetails, { props: { event: EVENT } }).findAll('.actions button');
    await onlyStream?.trigger('click');
    await onlyKind?.trigger('click');
    expect(useLogStore().filter).toMatchObject({ media: 'cam1', text: 'publish_refused' });
  });

  it.each([
    [true, 'info'],
    [false, 'error'],
  ])('copies the event, and shows the result: %s', async (isAllowed, kind) => {
    const copied: string[] = [];
    const writeText = (text: string): Promise<void> =>
      isAllowed ? Promise.resolve(void copied.push(text)) : Promise.reject(new Error('no'));
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    document.execCommand = () => false;
    const details = desk.mount(EventDetails, { props: { event: EVENT } });
    await details.findAll('.actions button').at(-1)?.trigger('click');
    await flushPromises();
    expect(useToastStore().toasts.map((toast) => toast.kind)).toEqual([kind]);
    expect(copied.map((text) => JSON.parse(text) as unknown)).toEqual(isAllowed ? [EVENT] : []);
    vi.unstubAllGlobals();
  });

  it('shows no placeholder for a text that the login may not read, but says that there is one', () => {
    const masked = { ...EVENT, detail: '********', reason: 'no access', who: '********' };
    const details = desk.mount(EventDetails, { props: { event: masked } });
    expect(details.text()).not.toContain('*');
    expect(details.text()).toContain('no access');
    expect(details.text()).toContain('may not see the other details');
    expect(desk.mount(EventDetails, { props: { event: EVENT } }).text()).not.toContain('may not see');
  });

  it('translates the event, its code and its reason', async () => {
    const event = {
      ...EVENT,
      media: 'cam1',
      code: 'publish_bad_password',
      reason: 'viewer',
      detail: 'as the encoder sent it',
    };
    const details = desk.mount(EventDetails, { props: { event } });
    expect(details.text()).toMatch(
      /An encoder was rejected\..*The password for publishing is missing or wrong.*a viewer asked for it/s,
    );
    i18n.global.locale.value = 'de';
    await nextTick();
    expect(details.text()).toMatch(/Ein Encoder wurde abgewiesen\..*Passwort.*ein Zuschauer hat ihn angefordert/s);
    expect(eventLine(event)).toMatch(
      /^Encoder .* abgewiesen · [^·]*Passwort[^·]* · as the encoder sent it · ein Zuschauer/,
    );
    const alarm = { ...EVENT, event: 'alarm_raised' as const, media: 'cam1', alarm: 'no_input', detail: 'none of 2' };
    expect(eventLine(alarm)).toBe('Alarm bei cam1: Kein Eingang · none of 2');
    const facts = { name: 'tower', explanation: 'connect ECONNREFUSED 127.0.0.1:80', waiting: 69 };
    expect(eventLine({ ...alarm, alarm: 'event_sink', fault: 'sink_failing', facts })).toBe(
      'Alarm bei cam1: Ereignisziel · Ereignisse lassen sich nicht an tower zustellen: 127.0.0.1:80: die Verbindung wurde abgelehnt (ECONNREFUSED). 69 Ereignisse warten',
    );
    i18n.global.locale.value = 'en';
  });

  it('has a sentence that names actor, action and object', () => {
    const call = {
      ...EVENT,
      event: 'api_call' as const,
      media: null,
      user: 'admin',
      method: 'CALL',
      trace_id: 'a-b-c',
    };
    expect(eventLine({ ...call, path: 'streams.remove', target: 'cam1', status: 200 })).toBe(
      'admin removed the stream cam1',
    );
    expect(eventLine({ ...call, path: 'config.confirm', target: null, status: 403 })).toBe(
      'admin kept the configuration change · refused',
    );
    expect(eventLine({ ...call, method: 'PUT', path: '/streamer/api/v3/streams/a', status: 200 })).toBe(
      'admin made a change through the HTTP API',
    );
    const change = { ...call, path: 'subscribers.change', kind: 'disableSubscriber', status: 200 };
    expect(eventLine({ ...change, target: 'Ana Berg' })).toBe('admin blocked the subscriber Ana Berg');
    expect(eventLine(change)).toBe('admin blocked a subscriber');
    const saved = {
      ...call,
      method: 'PUT',
      path: '/mediaserver/api/v3/streams/a',
      operation: 'stream_save',
      target: 'a',
    };
    expect(eventLine({ ...saved, status: 200 })).toBe('admin changed the stream a');
    expect(eventLine({ ...change, path: '********', user: 'token robot' })).toBe(
      'API token robot made a change through the HTTP API',
    );
    const end = { ...call, event: 'play_closed' as const, media: 'cam1', ip: '192.0.2.7', duration_ms: 65_000 };
    expect(eventLine(end)).toBe('Viewer 192.0.2.7 left cam1 after 1:05');
    const still = { ...call, event: 'dvr_locked' as const, media: 'cam1', by: 'admin', duration_ms: 40 };
    expect(eventLine(still)).toBe('admin locked a still of cam1');
    const added = { ...call, path: 'cases.add', operation: null, target: 'Storm', kind: 'clip' };
    expect(eventLine(added)).toContain('added a clip to the case “Storm”');
  });

  it('is closed by its button', async () => {
    const details = desk.mount(EventDetails, { props: { event: EVENT } });
    await details.get('header button').trigger('click');
    expect(details.emitted('close')).toHaveLength(1);
  });
});
