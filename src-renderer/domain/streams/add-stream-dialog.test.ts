import { flushPromises, type DOMWrapper, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import AddStreamDialog from './AddStreamDialog.vue';
import AddStreamForm from './AddStreamForm.vue';
import PublishHelp from './PublishHelp.vue';

let desk: TestDesk;
const writeText = vi.fn(() => Promise.resolve());

beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  desk.bridge.answers['config.text'] = { text: '', revision: '1.1', version: 1 };
  desk.bridge.answers['config.directives'] = { blocks: {} };
  desk.bridge.answers['streams.add'] = { name: 'cam', publish_urls: ['rtmp://h:1935/static/cam'] };
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  writeText.mockClear();
});
// A modal is rendered outside its component.
afterEach(() => {
  document.body.replaceChildren();
});

async function open(): Promise<{ dialog: VueWrapper; form: VueWrapper }> {
  const dialog = desk.mount(AddStreamDialog, { props: { isOpen: true }, isAttached: true });
  await flushPromises();
  return { dialog, form: dialog.getComponent(AddStreamForm) as unknown as VueWrapper };
}
const field = (form: VueWrapper, name: string): Omit<DOMWrapper<Element>, 'exists'> =>
  form.get(`[data-test=${name}] input`);
const text = (): string => document.body.textContent ?? '';

async function publish(form: VueWrapper, password: string): Promise<void> {
  await form.findAll('[role=radio]')[1]?.trigger('click');
  await field(form, 'name').setValue('cam');
  if (password !== '') {
    await vi.waitFor(() => expect(form.find('[data-test=setting-password]').exists()).toBe(true), 30_000);
    await form.get('[data-test=setting-password] input').setValue(password);
  }
  await form.get('form').trigger('submit');
  await flushPromises();
}
const button = (label: string): HTMLButtonElement | undefined =>
  [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === label);

describe('AddStreamDialog', () => {
  it('has a title, and is absent while closed', async () => {
    const dialog = desk.mount(AddStreamDialog, { props: { isOpen: false } });
    await flushPromises();
    expect(document.querySelector('[role=dialog]')).toBeNull();
    await dialog.setProps({ isOpen: true });
    await flushPromises();
    expect(document.querySelector('[role=dialog]')?.getAttribute('aria-label')).toBe('Add stream');
  });

  it('adds a pull stream, reports this, and closes', async () => {
    const { dialog, form } = await open();
    await field(form, 'address').setValue('udp://239.0.0.1:1234');
    await field(form, 'name').setValue('cam');
    await form.get('form').trigger('submit');
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['streams.add', { name: 'cam', input_url: 'udp://239.0.0.1:1234' }]);
    expect(useToastStore().toasts.at(-1)?.text).toBe('cam was added.');
    expect([dialog.emitted('added'), dialog.emitted('close')]).toEqual([[['cam']], [[]]]);
  });

  it('stays open with the typed values if the server refuses', async () => {
    desk.bridge.errors['streams.add'] = { code: 'stream_exists', message: '' };
    const { dialog, form } = await open();
    await field(form, 'address').setValue('fake://');
    await field(form, 'name').setValue('cam');
    await form.get('form').trigger('submit');
    await flushPromises();
    expect(form.get('[data-test=name] [role=alert]').text()).toContain('Choose another name');
    expect((field(form, 'name').element as HTMLInputElement).value).toBe('cam');
    expect(dialog.emitted('close')).toBeUndefined();
  });

  it('sends one request even if it is submitted twice', async () => {
    const { form } = await open();
    await field(form, 'address').setValue('fake://');
    await field(form, 'name').setValue('cam');
    await Promise.all([form.get('form').trigger('submit'), form.get('form').trigger('submit')]);
    await flushPromises();
    expect(desk.bridge.called.filter((name) => name === 'streams.add')).toHaveLength(1);
  });

  it('suggests a name from the address until a name is typed', async () => {
    const { form } = await open();
    const name = (): string => (field(form, 'name').element as HTMLInputElement).value;
    await field(form, 'address').setValue('rtsp://192.0.2.9/gate');
    expect(name()).toBe('gate');
    await field(form, 'name').setValue('door');
    await field(form, 'address').setValue('rtsp://192.0.2.9/yard');
    expect(name()).toBe('door');
  });

  it('shows the error of a field after it loses focus, not while typing', async () => {
    const { form } = await open();
    await field(form, 'address').setValue('239.0.0.1:1234');
    expect(form.find('[role=alert]').exists()).toBe(false);
    await form.get('[data-test=address]').trigger('focusout');
    expect(form.get('[role=alert]').text()).toContain('An address starts with its protocol');
    expect(field(form, 'address').attributes('aria-invalid')).toBe('true');
  });
});

describe('the encoder settings after adding a stream', () => {
  it('contain the typed password, with a note that it is shown once', async () => {
    const { form } = await open();
    await publish(form, 's3cret');
    expect(text()).toContain('It is shown only once');
    expect(text()).toContain('rtmp://h:1935/static/cam?password=s3cret');
    expect(text()).toContain('cam?password=s3cret');
    const copies = [...document.querySelectorAll<HTMLButtonElement>('.copy-line button')];
    for (const copy of copies) copy.click();
    await flushPromises();
    expect(writeText.mock.calls.flat()).toEqual([
      'rtmp://h:1935/static/cam?password=s3cret',
      'rtmp://h:1935/static',
      'cam?password=s3cret',
      expect.stringMatching(/^ffmpeg .*-f flv "rtmp:\/\/h:1935\/static\/cam\?password=s3cret"$/),
    ]);
  });

  it('mention no password if there is none', async () => {
    const { form } = await open();
    await publish(form, '');
    expect(text()).toContain('cam is waiting for an encoder');
    expect(text()).not.toContain('password');
  });

  it('are followed by an empty form for another stream, or closed', async () => {
    const { dialog, form } = await open();
    await publish(form, '');
    button('Add another')?.click();
    await flushPromises();
    const next = dialog.getComponent(AddStreamForm) as unknown as VueWrapper;
    expect((field(next, 'name').element as HTMLInputElement).value).toBe('');
    await publish(next, '');
    button('Done')?.click();
    await flushPromises();
    expect(dialog.emitted('close')).toHaveLength(1);
  });
});

describe('PublishHelp', () => {
  it('explains the configuration if the server has no port for publishing', () => {
    expect(desk.mount(PublishHelp, { props: { urls: [] } }).text()).toContain('rtmp 1935;');
  });

  it('has no OBS fields for an address that OBS does not support', () => {
    const help = desk.mount(PublishHelp, { props: { urls: ['http://h/cam1/mpegts'] } });
    expect(help.findAll('.label').map((label) => label.text())).toEqual(['Address', 'ffmpeg']);
  });

  it('lists the encoder settings for each address', () => {
    const help = desk.mount(PublishHelp, { props: { urls: ['rtmp://h/static/a', 'rtmp://h/live/a'] } });
    expect(help.findAll('.item')).toHaveLength(2);
    expect(help.findAll('.label').map((label) => label.text())).toEqual([
      'Address',
      'OBS server',
      'OBS key',
      'ffmpeg',
      'Address',
      'OBS server',
      'OBS key',
      'ffmpeg',
    ]);
  });
});
