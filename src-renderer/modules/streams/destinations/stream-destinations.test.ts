import { DOMWrapper, flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { directiveHelp } from '../../../../src-main/config/directive-help.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import type { PushStateObject } from '../../../../src-preload/contract/api/push-object.ts';
import { useConfirmStore } from '../../../ui/confirm-store.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import AddDestination from './AddDestination.vue';
import { pushLight } from './push-light.ts';
import { destinationOf, isServer, SERVERS, serviceOf } from './services.ts';
import StreamDestinations from './StreamDestinations.vue';

const HELP = directiveHelp();
const TWITCH = 'rtmps://ingest.global-contribute.live-video.net/app';

function aPush(facts: Partial<PushStateObject> = {}): PushStateObject {
  return {
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

/** Answers the calls of an edit. @param statements statements of the stream `cam1` */
function answerEdits(statements: string): void {
  desk.bridge.answers['config.text'] = { text: `stream cam1 { ${statements} }`, revision: '1.1', version: 1 };
  desk.bridge.answers['config.directives'] = { blocks: HELP };
  desk.bridge.answers['config.edit_text'] = { text: 'stream cam1 {}', errors: [] };
  desk.bridge.answers['config.apply'] = { version: 2 };
}
/** Waits until an edit is done. Its modules are imported on use. */
async function settled(): Promise<void> {
  await flushPromises();
  await vi.dynamicImportSettled();
  await flushPromises();
}
const editsOf = () => desk.bridge.calls.find(([name]) => name === 'config.edit_text')?.[1];

describe('StreamDestinations', () => {
  it('shows what each server confirms, and faults with their reasons', async () => {
    const page = await open([
      aPush(),
      aPush({ index: 1, url: 'rtmp://h/app/***', bytes_acknowledged: null, lag: 1500, dropped: 12 }),
      aPush({ index: 2, url: 'rtmp://h/b/***', state: 'retry', code: 'push_refused', detail: 'The server refused it' }),
      aPush({ index: 3, url: 'rtmp://h/c/***', state: 'pending' }),
    ]);
    const rows = page.findAll('[data-test=destination]');
    expect(rows.map((row) => row.get('.name').text())).toEqual(['Twitch', 'h/app/***', 'h/b/***', 'h/c/***']);
    expect(rows.map((row) => row.get('[data-test=state]').text())).toEqual([
      'Sending, confirmed by the server',
      'Sending, not confirmed',
      'Tries again',
      'Waits for the stream',
    ]);
    expect(page.findAll('[data-test=figures]').map((one) => one.text())).toEqual([
      '4.02 Mbit/s · 4.9 MB confirmed',
      '4.02 Mbit/s · 5.0 MB sent · 1.5 s behind · 12 frames dropped',
    ]);
    expect(rows[2]?.get('.fault').text()).toBe('The target refused the stream. The server refused it');
    page.unmount();
  });

  it('has no controls for logins that may not edit, and is hidden from them without destinations', async () => {
    const page = await open([aPush()], false);
    expect([page.text().includes('Twitch'), page.find('button').exists()]).toEqual([true, false]);
    page.unmount();
    const none = await open([], false);
    expect(none.text()).toBe('');
    none.unmount();
  });

  it('adds a service with its key, and keeps the form open until the address is complete', async () => {
    const page = await open([]);
    answerEdits('input publish://;');
    await page.get('[data-test=add]').trigger('click');
    const form = new DOMWrapper(document.body);
    await form.get('[data-test=service]').setValue('twitch');
    const [server, key] = form.findAll('#add-destination input');
    expect((server?.element as HTMLInputElement).value).toBe(TWITCH);
    expect(key?.attributes('type')).toBe('password');
    await form.get('#add-destination').trigger('submit');
    expect(form.get('#add-destination [role=alert]').text()).toBe('Copy the key from the page of the service.');
    await key?.setValue('live_1_abc');
    await form.get('#add-destination').trigger('submit');
    await settled();
    expect(editsOf()).toMatchObject({
      edits: [{ block: 'stream', name: 'cam1', directive: 'push', index: 0, words: [`${TWITCH}/live_1_abc`] }],
    });
    expect(useToastStore().toasts.map(({ text }) => text)).toEqual(['The stream is sent to Twitch']);
    expect(page.getComponent(AddDestination).props('isOpen')).toBe(false);
    page.unmount();
  });

  it('stops a destination after a question, and keeps its other options', async () => {
    const page = await open([aPush()]);
    answerEdits(`push ${TWITCH}/******** tracks=v1a1;`);
    await page.get('button[aria-label="Stop sending to Twitch"]').trigger('click');
    expect(editsOf()).toBeUndefined();
    useConfirmStore().settle(true);
    await settled();
    expect(editsOf()).toMatchObject({
      edits: [
        { directive: 'push', index: 0, words: [`${TWITCH}/********`], options: { tracks: 'v1a1', disabled: 'true' } },
      ],
    });
    page.unmount();
  });

  it('starts and stops all destinations after a question', async () => {
    const page = await open([aPush(), aPush({ index: 1, url: 'rtmp://h/app/***', state: 'disabled' })]);
    answerEdits(`push ${TWITCH}/********; push rtmp://h/app/******** disabled=true;`);
    const [startAll, stopAll] = page.findAll('.buttons button').slice(1);
    expect([startAll?.text(), stopAll?.text()]).toEqual(['Start all', 'Stop all']);
    await startAll?.trigger('click');
    expect(useConfirmStore().request?.body).toBe('The stream goes to h/app/***.');
    useConfirmStore().settle(true);
    await settled();
    expect(editsOf()).toMatchObject({ edits: [{ directive: 'push', index: 1 }] });
    page.unmount();
  });

  it('does not change destinations that a live prefix gives to all of its streams', async () => {
    const page = await open([aPush()]);
    answerEdits('');
    desk.bridge.answers['config.text'] = {
      text: `live cam1x { } template cam { prefix cam1; push ${TWITCH}; } stream cam1 { template cam; }`,
      revision: '1.1',
      version: 1,
    };
    await page.get('button[aria-label="Remove Twitch"]').trigger('click');
    useConfirmStore().settle(true);
    await settled();
    expect(editsOf()).toBeUndefined();
    expect(useToastStore().toasts[0]?.text).toContain('come from its template or live prefix');
    page.unmount();
  });
});

describe('the condition of a destination', () => {
  it('is confirmed only if the target has acknowledged bytes', () => {
    const running = { state: 'running', code: null, lag: 0 } as const;
    expect([0, null, 1].map((bytes_acknowledged) => pushLight({ ...running, bytes_acknowledged }))).toEqual([
      'unconfirmed',
      'unconfirmed',
      'sent',
    ]);
    expect(pushLight({ ...running, bytes_acknowledged: 1, lag: 3000 })).toBe('slow');
    expect(pushLight({ state: 'starting', code: 'push_lost', lag: 0, bytes_acknowledged: 1 })).toBe('failed');
    expect(pushLight({ state: 'disabled', code: null, lag: 0, bytes_acknowledged: null })).toBe('off');
  });
});

describe('addresses of destinations', () => {
  it('join server and key, and name the service', () => {
    expect(destinationOf(' rtmp://h/app/ ', ' k?x=1 ')).toBe('rtmp://h/app/k?x=1');
    expect(destinationOf('rtmp://h/app', '')).toBe('rtmp://h/app');
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
