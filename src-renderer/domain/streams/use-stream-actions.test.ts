import { flushPromises, mount } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent } from 'vue';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { FakeBridge } from '../../../tests/helpers/desk/fake-bridge.ts';
import { bridgeKey } from '../../server/bridge.ts';
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

describe('a removal from the desk', () => {
  it('is undone by one call to the server, without data of the desk', async () => {
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

  it('shows why the undo failed', async () => {
    bridge.answers['streams.remove'] = { version: 7 };
    bridge.errors['config.undo'] = { code: 'config_changed_since', message: '' };
    await remove();
    useToastStore().toasts[0]?.action?.run();
    await flushPromises();
    const { kind, text } = useToastStore().toasts.at(-1) ?? {};
    expect([kind, text?.includes('The configuration was changed in the meantime')]).toEqual(['error', true]);
  });
});
