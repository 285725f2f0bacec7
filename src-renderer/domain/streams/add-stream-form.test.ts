import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { directiveHelp } from '../../../src-main/config/directive-help.ts';
import { FakeBridge } from '../../../tests/helpers/desk/fake-bridge.ts';
import type { ServerInfo } from '../../../src-preload/contract/index.ts';
import { useServerStore } from '../../server/server-store.ts';
import { bridgeKey } from '../../server/bridge.ts';
import AddStreamForm from './AddStreamForm.vue';

let bridge: FakeBridge;
let form: VueWrapper;

beforeEach(() => {
  setActivePinia(createPinia());
  bridge = new FakeBridge();
  bridge.answers['streams.add'] = { name: 'cam', publish_urls: ['rtmp://h/static/cam'] };
  bridge.answers['config.text'] = { text: 'dvr disks { root a; }', revision: '1.1', version: 1 };
  bridge.answers['config.directives'] = { blocks: directiveHelp() };
  bridge.answers['system.state'] = { disks: [] };
  form = mount(AddStreamForm, { global: { provide: { [bridgeKey as symbol]: bridge } } });
});

const added = (): unknown[] => bridge.calls.filter(([name]) => name === 'streams.add').map(([, input]) => input);

async function send(): Promise<void> {
  await form.get('form').trigger('submit');
  await flushPromises();
}

describe('AddStreamForm', () => {
  it('shows the interpretation of a web address, which can be changed', async () => {
    await form.get('[data-test=address] input').setValue('http://192.0.2.9/live/mpegts');
    expect(form.get('[data-test=reading]').text()).toContain('transport stream');
    await form.get('[data-test=reading] button').trigger('click');
    expect(form.get('[data-test=reading]').text()).toContain('HLS');
    await form.get('[data-test=name] input').setValue('cam');
    await send();
    expect(added()).toEqual([{ name: 'cam', input_url: 'hls://192.0.2.9/live/mpegts' }]);
  });

  it('starts the name with the prefix of a login that is limited to some streams', async () => {
    form.unmount();
    // Fields that the form does not read are absent.
    useServerStore().setInfo({ prefixes: ['field', 'roof'], now: 0 } as unknown as ServerInfo, '', 0);
    form = mount(AddStreamForm, { global: { provide: { [bridgeKey as symbol]: bridge } } });
    const name = (): string => (form.get('[data-test=name] input').element as HTMLInputElement).value;
    expect(name()).toBe('field/');
    await form.get('[data-test=address] input').setValue('rtsp://192.0.2.9/van');
    expect(name()).toBe('field/van');
    await send();
    expect(added()).toEqual([{ name: 'field/van', input_url: 'rtsp://192.0.2.9/van' }]);
  });

  it('adds further settings, which are closed at first', async () => {
    await vi.waitFor(() => expect(form.find('[data-test=record-switch]').exists()).toBe(true), 30_000);
    expect(form.findAll('details').filter((one) => one.attributes('open') !== undefined)).toEqual([]);
    await form.get('[data-test=address] input').setValue('fake://');
    await form.get('[data-test=name] input').setValue('cam');
    await form.get('[data-test=record-switch]').setValue(true);
    await form.get('[data-test=recording-days]').setValue('30');
    await form.get('[data-test=alarm-black] input').setValue(true);
    await form.get('[aria-label="Black: seconds until the alarm"]').setValue('6');
    await send();
    const settings = [
      { directive: 'dvr', words: ['@disks', '30d'] },
      { directive: 'alarm', words: ['black'], options: { raise: '6s' } },
    ];
    expect(added()).toEqual([{ name: 'cam', input_url: 'fake://', settings }]);
  });

  it('emits the typed password for the addresses', async () => {
    await form.findAll('[role=radio]')[1]?.trigger('click');
    await form.get('[data-test=name] input').setValue('cam');
    await vi.waitFor(() => expect(form.find('[data-test=setting-password]').exists()).toBe(true), 30_000);
    await form.get('[data-test=setting-password] input').setValue('s3cret');
    await send();
    expect(form.emitted('added')?.[0]).toEqual([
      { name: 'cam', source: 'publish', publishUrls: ['rtmp://h/static/cam'], password: 's3cret' },
    ]);
  });

  it('offers to reload a file that changed on disk, and can be submitted afterwards', async () => {
    bridge.errors['streams.add'] = { code: 'config_file_changed', message: 'airdesk.conf was changed on disk' };
    await form.get('[data-test=address] input').setValue('fake://');
    await form.get('[data-test=name] input').setValue('cam');
    await send();
    delete bridge.errors['streams.add'];
    await form.get('[data-test=read-again]').trigger('click');
    await flushPromises();
    expect(bridge.calls.map(([name]) => name)).toContain('config.reload');
    expect(form.find('[role=alert]').exists()).toBe(false);
    await send();
    expect(form.emitted('added')).toHaveLength(1);
  });
});
