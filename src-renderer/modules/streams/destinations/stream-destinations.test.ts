import { DOMWrapper, flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import type { PushStateObject } from '../../../../src-preload/contract/api/push-object.ts';
import { useConfirmStore } from '../../../ui/confirm-store.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import AddDestination from './AddDestination.vue';
import { pushLight } from '../../../domain/destinations/push-light.ts';
import { destinationOf, isServer, SERVERS, serviceOf } from '../../../domain/destinations/services.ts';
import StreamDestinations from './StreamDestinations.vue';

const TWITCH = 'rtmps://ingest.global-contribute.live-video.net/app';

function aPush(facts: Partial<PushStateObject> = {}): PushStateObject {
  return {
    id: 'id-0',
    index: 0,
    url: `${TWITCH}/***`,
    state: 'running',
    code: null,
    detail: null,
    since: 1,
    tries: 1,
    bytes: 5_000_000,
    bytes_acknowledged: 4_900_000,
    bitrate: 4020,
    lag: 20,
    dropped: 0,
    tracks: ['v1', 'a1'],
    start_at: null,
    stop_at: null,
    ...facts,
  };
}

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
});

async function open(pushes: readonly PushStateObject[], mayWrite = true): Promise<VueWrapper> {
  desk.setServer({ may_write: mayWrite });
  desk.bridge.answers['streams.pushes'] = { pushes };
  const page = desk.mount(StreamDestinations, { props: { name: 'cam1' } });
  await flushPromises();
  return page;
}

/** Calls that change destinations. */
const changes = () => desk.bridge.calls.filter(([name]) => /^streams\..*push/.test(name) && name !== 'streams.pushes');

describe('StreamDestinations', () => {
  it('shows what each server confirms, and faults with their reasons', async () => {
    const page = await open([
      aPush(),
      aPush({ index: 1, url: 'rtmp://h/app/***', bytes_acknowledged: null, lag: 1500, dropped: 12 }),
      aPush({ index: 2, url: 'rtmp://h/b/***', state: 'retry', code: 'push_refused', detail: 'The server refused it' }),
      aPush({ index: 3, url: 'rtmp://h/c/***', state: 'pending' }),
      aPush({
        index: 4,
        url: 'rtmp://h/d/***',
        state: 'retry',
        code: 'push_refused',
        detail: 'The server refused the stream without a reason. Check the stream key',
        explanation: { code: 'push_refused_without_reason', facts: {} },
      }),
    ]);
    const rows = page.findAll('[data-test=destination]');
    expect(rows.map((row) => row.get('.name').text())).toEqual([
      'Twitch',
      'h/app/***',
      'h/b/***',
      'h/c/***',
      'h/d/***',
    ]);
    expect(rows.map((row) => row.get('[data-test=state]').text())).toEqual([
      'Sending, confirmed by the server',
      'Sending, not confirmed',
      'Failed, tries again',
      'Waits for the stream',
      'Failed, tries again',
    ]);
    expect(page.findAll('[data-test=figures]').map((one) => one.text())).toEqual([
      '4.02 Mbit/s · 4.9 MB confirmed',
      '4.02 Mbit/s · 5.0 MB sent · 1.5 s behind · 12 frames dropped',
    ]);
    expect(rows[2]?.get('.fault').text()).toBe('The target refused the stream. The server refused it');
    expect(rows[4]?.get('.fault').text()).toBe('The server refused the stream without a reason. Check the stream key');
    page.unmount();
  });

  it('has no controls for logins that may not edit, and is hidden from them without destinations', async () => {
    const page = await open([aPush()], false);
    expect(page.text()).toContain('Twitch');
    expect(page.findAll('button').map((button) => button.text())).toEqual(['Log']);
    page.unmount();
    const none = await open([], false);
    expect(none.text()).toBe('');
    none.unmount();
  });

  it('adds a service with its key, and keeps the form open until the address is complete', async () => {
    const page = await open([]);
    await page.get('[data-test=open-add]').trigger('click');
    const form = new DOMWrapper(document.body);
    await form.get('[data-test=service]').setValue('twitch');
    const [server, key] = form.findAll('#add-destination input');
    expect((server?.element as HTMLInputElement).value).toBe(TWITCH);
    expect(key?.attributes('type')).toBe('password');
    await form.get('#add-destination').trigger('submit');
    expect(form.get('#add-destination [role=alert]').text()).toBe('Copy the key from the page of the service.');
    await key?.setValue('live_1_abc');
    await form.get('#add-destination').trigger('submit');
    await flushPromises();
    expect(changes()).toEqual([['streams.add_push', { name: 'cam1', url: `${TWITCH}/live_1_abc` }]]);
    expect(useToastStore().toasts.map(({ text }) => text)).toEqual(['The stream is sent to Twitch']);
    expect(page.getComponent(AddDestination).props('isOpen')).toBe(false);
    page.unmount();
  });

  it('asks for a key only where the protocol has one', async () => {
    const page = await open([]);
    await page.get('[data-test=open-add]').trigger('click');
    const form = new DOMWrapper(document.body);
    await form.get('[data-test=service]').setValue('other');
    const server = form.get('#add-destination input');
    const hint = 'Without a key, the name of the stream is sent.';
    await server.setValue('rtmp://relay.example.org/live');
    expect(form.get('#add-destination').text()).toContain(hint);
    await form.findAll('#add-destination input')[1]?.setValue('left from before');
    await server.setValue('hlss://web.example.org/live/');
    expect(form.get('#add-destination').text()).not.toContain(hint);
    expect(form.get('#add-destination').text()).toContain('It is added to the end of the address.');
    await server.setValue('udp://239.0.0.1:1234');
    expect(form.findAll('#add-destination input')).toHaveLength(1);
    await form.get('#add-destination').trigger('submit');
    await flushPromises();
    expect(changes()).toEqual([['streams.add_push', { name: 'cam1', url: 'udp://239.0.0.1:1234' }]]);
    page.unmount();
  });

  it.each([
    ['https://web.example.org/live/a.m3u8', 'enter hlss://web.example.org/live/a.m3u8'],
    [
      'http://web.example.org/up',
      'enter tshttp://web.example.org/up. To store HLS there, enter hls://web.example.org/up',
    ],
    ['udp://239.0.0.1', 'Enter host and port, such as udp://239.0.0.1:1234.'],
    ['srt://relay.example.org:9000', 'addresses that start with rtmp, rtmps, tshttp,'],
    ['rtmp://relay.example.org', 'Enter an address such as rtmps://live.example.org/app.'],
  ])('refuses %s with the address that may be meant', async (address, answer) => {
    const page = await open([]);
    await page.get('[data-test=open-add]').trigger('click');
    const form = new DOMWrapper(document.body);
    await form.get('[data-test=service]').setValue('other');
    await form.get('#add-destination input').setValue(address);
    await form.get('#add-destination').trigger('submit');
    expect(form.get('#add-destination [role=alert]').text()).toContain(answer);
    expect(changes()).toEqual([]);
    page.unmount();
  });

  it('stops a destination after a question, and offers to undo it', async () => {
    const page = await open([aPush()]);
    desk.bridge.answers['streams.switch_pushes'] = { version: 7 };
    await page.get('button[aria-label="Stop sending to Twitch"]').trigger('click');
    expect(changes()).toEqual([]);
    useConfirmStore().settle(true);
    await flushPromises();
    expect(changes()).toEqual([['streams.switch_pushes', { name: 'cam1', ids: ['id-0'], is_disabled: true }]]);
    useToastStore().toasts[0]?.action?.run();
    expect(desk.bridge.calls).toContainEqual(['config.undo', { version: 7 }]);
    page.unmount();
  });

  it('removes the chosen one of several destinations that differ only in the key', async () => {
    const page = await open([0, 1, 2].map((index) => aPush({ index, id: `id-${index}` })));
    await page.findAll('button[aria-label="Remove Twitch"]')[1]?.trigger('click');
    useConfirmStore().settle(true);
    await flushPromises();
    expect(changes()).toEqual([['streams.remove_push', { name: 'cam1', id: 'id-1' }]]);
    page.unmount();
  });

  it('starts all destinations in one change, after a question', async () => {
    const off = { state: 'disabled', url: 'rtmp://h/app/***' } as const;
    const page = await open([
      aPush(),
      aPush({ index: 1, id: 'id-1', ...off }),
      aPush({ index: 2, id: 'id-2', ...off }),
    ]);
    const [startAll, stopAll] = page.findAll('button').slice(-2);
    expect([startAll?.text(), stopAll?.text()]).toEqual(['Start all', 'Stop all']);
    await startAll?.trigger('click');
    expect(useConfirmStore().request?.body).toBe('The stream goes to h/app/***, h/app/***.');
    useConfirmStore().settle(true);
    await flushPromises();
    expect(changes()).toEqual([['streams.switch_pushes', { name: 'cam1', ids: ['id-1', 'id-2'], is_disabled: false }]]);
    page.unmount();
  });

  it('plans and cancels the start of a destination, which stays stopped after that', async () => {
    const start = Date.now() + 3_600_000;
    const page = await open([aPush({ state: 'planned', start_at: start, stop_at: start + 60_000 })]);
    await page.get('button[aria-label="Plan start and end of Twitch"]').trigger('click');
    const form = new DOMWrapper(document.body);
    await form.findAll('#plan-destination input.typed')[1]?.setValue('');
    await form.get('[data-test=save-plan]').trigger('click');
    await flushPromises();
    // The form has whole seconds.
    const start_at = new Date(Math.floor(start / 1000) * 1000).toISOString();
    expect(changes()).toEqual([
      ['streams.change_push', { name: 'cam1', id: 'id-0', start_at, stop_at: null, disabled: null }],
    ]);
    expect(form.find('#plan-destination').exists()).toBe(false);
    await page.get('button[aria-label="Cancel the plan of Twitch"]').trigger('click');
    await flushPromises();
    expect(changes()[1]).toEqual([
      'streams.change_push',
      { name: 'cam1', id: 'id-0', start_at: null, stop_at: null, disabled: true },
    ]);
    page.unmount();
  });

  it('keeps a planned end that is to come when it starts a destination now', async () => {
    const end = Date.now() + 3_600_000;
    const page = await open([aPush({ state: 'planned', start_at: end - 60_000, stop_at: end })]);
    await page.get('button[aria-label="Start sending to Twitch"]').trigger('click');
    await flushPromises();
    const stop_at = new Date(end).toISOString();
    expect(changes()).toEqual([
      ['streams.change_push', { name: 'cam1', id: 'id-0', start_at: null, stop_at, disabled: null }],
    ]);
    page.unmount();
  });

  it('shows why destinations of a live prefix are not changed', async () => {
    const page = await open([aPush()]);
    desk.bridge.errors['streams.remove_push'] = { code: 'push_inherited', message: 'no', details: {} };
    await page.get('button[aria-label="Remove Twitch"]').trigger('click');
    useConfirmStore().settle(true);
    await flushPromises();
    expect(useToastStore().toasts[0]?.text).toContain('come from its template or live prefix');
    page.unmount();
  });
});

describe('the condition of a destination', () => {
  it('is confirmed only if the target has acknowledged bytes', () => {
    const running = { url: TWITCH, state: 'running', code: null, lag: 0 } as const;
    expect([0, null, 1].map((bytes_acknowledged) => pushLight({ ...running, bytes_acknowledged }))).toEqual([
      'unconfirmed',
      'unconfirmed',
      'sent',
    ]);
    expect(pushLight({ ...running, bytes_acknowledged: 1, lag: 3000 })).toBe('slow');
    expect(pushLight({ url: TWITCH, state: 'starting', code: 'push_lost', lag: 0, bytes_acknowledged: 1 })).toBe(
      'retrying',
    );
    expect(pushLight({ url: TWITCH, state: 'disabled', code: null, lag: 0, bytes_acknowledged: null })).toBe('off');
  });
});

describe('addresses of destinations', () => {
  it('join server and key, and name the service', () => {
    expect(destinationOf(' rtmp://h/app/ ', ' k?x=1 ')).toBe('rtmp://h/app/k?x=1');
    expect(destinationOf('rtmp://h/app', '')).toBe('rtmp://h/app');
    expect(destinationOf('tshttps://h/live/', '')).toBe('tshttps://h/live/');
    expect(destinationOf('tshttps://h/live/', 'k')).toBe('tshttps://h/live/k');
    expect(['tshttp://h', 'tshttps://u:p@h:1/a', 'hls://h/a.m3u8', 'hlss://h/a/', 'hls://', 'tshttp:///a'].map(isServer)).toEqual([true, true, true, true, false, false]); // prettier-ignore
    expect(['udp://239.0.0.1:1234', 'rtp://[::1]:5000', 'udp://239.0.0.1', 'rtp://:5000'].map(isServer)).toEqual([true, true, false, false]); // prettier-ignore
    expect(Object.entries(SERVERS).map(([name, url]) => [name, serviceOf(`${url}/***`)])).toEqual(
      Object.keys(SERVERS).map((name) => [name, name]),
    );
    expect(['rtmp://h', 'rtmp://h/', 'http://h/app', 'rtmp://h/app', 'rtmps://h:443/a/b'].map(isServer)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});
