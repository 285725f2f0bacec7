import { flushPromises, mount } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent } from 'vue';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { FakeBridge } from '../../../tests/helpers/desk/fake-bridge.ts';
import { bridgeKey } from '../../server/bridge.ts';
import type { ServerInfo } from '../../../src-preload/contract/index.ts';
import { unanswered } from '../../lib/bridge-messages.ts';
import { useServerStore } from '../../server/server-store.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { useStreamsStore } from './store.ts';
import { useStreamActions, type StreamActions } from './use-stream-actions.ts';

const masked = aStream({
  name: 'gate',
  input_url: 'rtsp://***@192.0.2.9/ch1',
  publish_urls: ['rtmp://h/static/gate'],
});

let bridge: FakeBridge;

function actions(): StreamActions {
  let made: StreamActions | undefined;
  const host = defineComponent({
    setup() {
      made = useStreamActions();
      return () => null;
    },
  });
  mount(host, { global: { provide: { [bridgeKey as symbol]: bridge } } });
  if (!made) throw new Error('nothing was made');
  return made;
}

/** Removes the stream and confirms. */
async function remove(): Promise<void> {
  const removed = actions().remove('gate');
  useConfirmStore().settle(true);
  await removed;
}

beforeEach(() => {
  setActivePinia(createPinia());
  bridge = new FakeBridge();
  useStreamsStore().apply({ is_snapshot: true, changed: [masked], removed: [] }, 0);
});

describe('the removal of a stream in the desk', () => {
  it('is undone by one call with the version of the configuration', async () => {
    bridge.answers['streams.remove'] = { version: 7 };
    await remove();
    const [toast] = useToastStore().toasts;
    toast?.action?.run();
    await flushPromises();
    expect(bridge.calls.filter(([call]) => call !== 'config.state')).toEqual([
      ['streams.remove', { name: 'gate' }],
      ['config.undo', { version: 7 }],
    ]);
    expect(useToastStore().toasts.at(-1)?.text).toContain('was restored');
  });

  it('offers no undo if none is possible', async () => {
    bridge.answers['streams.remove'] = { version: null };
    await remove();
    expect(useToastStore().toasts).toMatchObject([{ text: 'gate was removed.' }]);
    expect(useToastStore().toasts[0]?.action).toBeUndefined();
  });

  it('does not claim a failure if the server did not answer', async () => {
    bridge.errors['streams.remove'] = unanswered('The server did not answer in time').error;
    await remove();
    const [toast] = useToastStore().toasts;
    expect(toast?.text).toMatch(/^It is not known whether this was done\. .*did not answer in time/);
  });

  it('shows the reason if the undo fails', async () => {
    bridge.answers['streams.remove'] = { version: 7 };
    bridge.errors['config.undo'] = { code: 'config_changed_since', message: '' };
    await remove();
    useToastStore().toasts[0]?.action?.run();
    await flushPromises();
    const { kind, text } = useToastStore().toasts.at(-1) ?? {};
    expect([kind, text?.includes('The configuration was changed in the meantime')]).toEqual(['error', true]);
  });
});

describe('the recording of a stream in the desk', () => {
  const records = (): unknown[] => bridge.calls.filter(([call]) => /record|undo/.test(call));

  function login(mayWrite: boolean): void {
    useServerStore().setInfo({ may_write: mayWrite, may_operate: true } as ServerInfo, 'http://desk.example', 0);
  }

  it('is added to the configuration of a stream without an archive, and can be undone', async () => {
    login(true);
    bridge.answers['streams.add_recording'] = { version: 9, storage: 'main', days: 7 };
    await actions().recordAll(['gate'], true);
    const [toast] = useToastStore().toasts;
    expect(toast?.text).toContain('Recording gate to the storage main, kept for 7 days.');
    toast?.action?.run();
    await flushPromises();
    expect(records()).toEqual([
      ['streams.add_recording', { names: ['gate'] }],
      ['config.undo', { version: 9 }],
    ]);
  });

  it('needs a confirmation before it covers all streams of a live prefix', async () => {
    login(true);
    useStreamsStore().apply(
      { is_snapshot: true, changed: [aStream({ name: 'live/x', named_by: 'user' })], removed: [] },
      0,
    );
    const recorded = actions().recordAll(['live/x'], true);
    expect(useConfirmStore().request?.body).toContain('all streams that encoders publish there are recorded');
    useConfirmStore().settle(false);
    await recorded;
    expect(records()).toEqual([]);
  });

  it('is switched on for a stream with an archive, also by logins that cannot change the configuration', async () => {
    login(true);
    useStreamsStore().apply(
      { is_snapshot: true, changed: [aStream({ name: 'a', is_recorded: false })], removed: [] },
      0,
    );
    await actions().recordAll(['a'], true);
    login(false);
    useStreamsStore().apply({ is_snapshot: true, changed: [aStream({ name: 'b' })], removed: [] }, 0);
    await actions().recordAll(['b'], true);
    expect(records()).toEqual([
      ['streams.record_all', { names: ['a'], is_recorded: true }],
      ['streams.record_all', { names: ['b'], is_recorded: true }],
    ]);
  });

  it('stops only after a confirmation', async () => {
    login(true);
    const kept = actions().recordAll(['gate'], false);
    expect(useConfirmStore().request).toMatchObject({ title: 'Stop recording gate?', confirmLabel: 'Stop recording' });
    useConfirmStore().settle(false);
    await kept;
    expect(records()).toEqual([]);
    const stopped = actions().recordAll(['gate'], false);
    useConfirmStore().settle(true);
    await stopped;
    expect(records()).toEqual([['streams.record_all', { names: ['gate'], is_recorded: false }]]);
  });
});
