import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import StreamConfig from './StreamConfig.vue';
import StreamConfigPart from './StreamConfigPart.vue';

const TEXT =
  'http 80;\nstream other { title No; }\n# at the gate\nstream cam1 {\n  title One;\n  input publish://;\n}\n';
const NONE = { count: 0, names: [] };
const IMPACT = {
  added: NONE,
  removed: NONE,
  restarted: { count: 1, names: ['cam1'] },
  updated: NONE,
  prefixes: NONE,
  viewers: 3,
  publishers: 0,
  settings: [],
  ports_opened: [],
  ports_closed: [],
  is_reordered: false,
};
const title = {
  name: 'title',
  aliases: [],
  form: 'value',
  doc: 'A title',
  doc_code: 'title',
  choices: [],
  options: [],
  takes_options: false,
  is_repeated: false,
  is_secret: false,
  is_reserved: false,
  default: null,
  unit: null,
  does_restart: false,
};

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  Object.assign(desk.bridge.answers, {
    'config.text': { text: TEXT, revision: '1.1', version: 1 },
    'config.directives': { blocks: { stream: [title] } },
    'config.edit_text': { text: TEXT.replace('One', 'Two'), errors: [] },
    'config.check': { errors: [], warnings: [], impact: IMPACT },
    'config.apply': { version: 2 },
  });
});
async function open(name = 'cam1'): Promise<VueWrapper> {
  const part = desk.mount(StreamConfig, { props: { name }, isAttached: true });
  await flushPromises();
  return part;
}
const inputsOf = (part: VueWrapper): string[] =>
  part.findAll('.fields input').map((input) => (input.element as HTMLInputElement).value);

describe('the configuration of one stream', () => {
  it('shows only its block, as a form and as text', async () => {
    const part = await open();
    expect(inputsOf(part)).toEqual(['One']);
    expect(part.get('pre').text()).toBe('stream cam1 {\n  title One;\n  input publish://;\n}');
    expect(part.find('.bar').exists()).toBe(false);
    expect((await open('gone')).text()).toContain('no longer in the configuration');
  });

  it('is loaded on demand', async () => {
    const part = desk.mount(StreamConfigPart, { props: { name: 'cam1' } });
    await flushPromises();
    expect(desk.bridge.called).not.toContain('config.text');
    await part.get('[data-test=show-config]').trigger('click');
    await vi.waitFor(() => expect(inputsOf(part)).toEqual(['One']), 30_000);
  });

  it('shows the effect of a change, applies it to the version that it was made from, and offers to undo it', async () => {
    const part = await open();
    await part.get('.fields input').setValue('Two');
    await flushPromises();
    expect(part.get('.bar').text()).toMatch(/restarts 1 stream.*3 viewers/s);
    await part.get('[data-test=apply-config]').trigger('click');
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['config.apply', { text: TEXT.replace('One', 'Two'), revision: '1.1' }]);
    expect(useToastStore().toasts[0]?.action?.label).toBe('Undo');
    expect(part.find('.bar').exists()).toBe(false);
  });

  it('repeats its edits on a new version of others, and discards them on request', async () => {
    const part = await open();
    await part.get('.fields input').setValue('Two');
    await flushPromises();
    const theirs = `${TEXT}rtmp 1935;\n`;
    desk.bridge.answers['config.text'] = { text: theirs, revision: '2.2', version: 2 };
    desk.bridge.errors['config.apply'] = { code: 'config_changed_since', message: '' };
    await part.get('[data-test=apply-config]').trigger('click');
    await flushPromises();
    expect(desk.bridge.calls.filter(([call]) => call === 'config.edit_text').at(-1)?.[1]).toEqual({
      text: theirs,
      edits: [{ block: 'stream', name: 'cam1', directive: 'title', index: 0, words: ['Two'] }],
    });
    expect(part.get('.bar').text()).toContain('Unapplied changes');
    await part.get('[data-test=discard-config]').trigger('click');
    await flushPromises();
    expect([part.find('.bar').exists(), inputsOf(part)]).toEqual([false, ['One']]);
  });

  it('shows why a change is refused', async () => {
    desk.bridge.answers['config.edit_text'] = {
      text: TEXT,
      errors: [{ code: 'config_bad_value', message: 'Too long' }],
    };
    const part = await open();
    await part.get('.fields input').setValue('x'.repeat(500));
    await flushPromises();
    expect(part.get('[role=alert]').text()).toBe('Too long');
    expect(part.find('.bar').exists()).toBe(false);
  });
});
