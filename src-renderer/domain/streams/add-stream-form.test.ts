import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeBridge } from '../../../tests/helpers/desk/fake-bridge.ts';
import { bridgeKey } from '../../server/bridge.ts';
import AddStreamForm from './AddStreamForm.vue';
import RecordingFields from './RecordingFields.vue';

let bridge: FakeBridge;
let form: VueWrapper;

beforeEach(() => {
  setActivePinia(createPinia());
  bridge = new FakeBridge();
  bridge.answers['streams.add'] = { name: 'cam', publish_urls: ['rtmp://h/static/cam'] };
  form = mount(AddStreamForm, { global: { provide: { [bridgeKey as symbol]: bridge } } });
});

const added = (): unknown[] => bridge.calls.filter(([name]) => name === 'streams.add').map(([, input]) => input);

async function send(): Promise<void> {
  await form.get('form').trigger('submit');
  await flushPromises();
}

describe('the form of a new stream', () => {
  it('shows how a web address is interpreted, and lets the operator change that', async () => {
    await form.get('[data-test=address] input').setValue('http://192.0.2.9/live/mpegts');
    expect(form.get('[data-test=reading]').text()).toContain('transport stream');
    await form.get('[data-test=reading] button').trigger('click');
    expect(form.get('[data-test=reading]').text()).toContain('HLS');
    await form.get('[data-test=name] input').setValue('cam');
    await send();
    expect(added()).toEqual([{ name: 'cam', input_url: 'hls://192.0.2.9/live/mpegts' }]);
  });

  it('offers recording with the storages of the server, and says that one is made if there is none', async () => {
    const disk = { path: '/a', total_bytes: 9e12, archive_bytes: 0 };
    const disks = [
      { ...disk, storage: 'main', free_bytes: 2e12 },
      { ...disk, storage: 'main', free_bytes: 1e12 },
      { ...disk, storage: 'slow', free_bytes: null },
    ];
    bridge.answers['system.state'] = { disks };
    await form.get('[data-test=address] input').setValue('fake://');
    await form.get('[data-test=name] input').setValue('cam');
    await form.get('[data-test=record]').setValue(true);
    await flushPromises();
    expect(form.findAll('option').map((option) => option.text())).toEqual(['main (3.0 TB free)', 'slow']);
    await form.get('[data-test=days]').setValue('0');
    await send();
    expect([added(), form.get('[role=alert]').text()]).toEqual([[], 'Enter a whole number of days from 1 to 3650.']);
    await form.get('[data-test=days]').setValue('30');
    await form.get('[data-test=storage]').setValue('slow');
    await send();
    expect(added()).toEqual([{ name: 'cam', input_url: 'fake://', record: { days: 30, storage: 'slow' } }]);
    bridge.answers['system.state'] = { disks: [] };
    const props = { isRecorded: true, days: 7, storage: '' };
    const other = mount(RecordingFields, { props, global: { provide: { [bridgeKey as symbol]: bridge } } });
    await flushPromises();
    expect(other.text()).toContain('There is no storage yet. A storage named main will be created');
  });

  it('passes on the typed password for the addresses', async () => {
    await form.findAll('[role=radio]')[1]?.trigger('click');
    await form.get('[data-test=name] input').setValue('cam');
    await form.get('input[type=password]').setValue('s3cret');
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
