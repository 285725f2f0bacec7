import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { directiveHelp } from '../../../src-main/config/directive-help.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import BlockForm from './BlockForm.vue';
import { useConfigurationStore } from './store.ts';
import TextWithForm from './TextWithForm.vue';

const TEXT = 'stream cam1 {\n  title One;\n  labels a=b;\n}\n';

let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  localStorage.clear();
  desk = new TestDesk();
  desk.setServer();
  return () => vi.useRealTimers();
});

it('BlockForm shows instructions if the cursor is in no block', () => {
  const existing = { storages: [], templates: [], backends: [], locations: [] };
  const props = { block: undefined, settings: undefined, existing, failure: undefined };
  expect(desk.mount(BlockForm, { props }).text()).toContain('Place the cursor in a stream');
});

describe('the text and the form of a configuration', () => {
  const quiet = async (): Promise<void> => {
    vi.advanceTimersByTime(500);
    await flushPromises();
  };
  async function open(text = TEXT): Promise<VueWrapper> {
    useConfigurationStore().open({ text, revision: '1.1', version: 1 });
    const page = desk.mount(TextWithForm, {
      props: { isReadOnly: false, isFormShown: true, stream: 'cam1', help: directiveHelp() },
      isAttached: true,
    });
    await flushPromises();
    await quiet();
    return page;
  }
  const TITLE = '[data-test=setting-title] input';
  const edits = (): unknown[] =>
    desk.bridge.calls.flatMap(([call, input]) => (call === 'config.edit_text' ? [input] : []));

  it('stay consistent in both directions', async () => {
    const page = await open();
    const title = (): HTMLInputElement => page.get(TITLE).element as HTMLInputElement;
    expect([page.get('h2').text(), title().value]).toEqual(['stream cam1', 'One']);
    expect(page.get('.block').text()).toContain('1 more setting in the text: labels');
    useConfigurationStore().setText(TEXT.replace('One', 'Two'));
    await flushPromises();
    await quiet();
    expect(title().value).toBe('Two');
    desk.bridge.answers['config.edit_text'] = { text: TEXT.replace('One', 'Three'), errors: [] };
    for (const typed of ['Th', 'Three']) await page.get(TITLE).setValue(typed);
    await quiet();
    expect(edits()).toEqual([
      {
        text: TEXT.replace('One', 'Two'),
        edits: [{ block: 'stream', name: 'cam1', directive: 'title', index: 0, words: ['Three'] }],
      },
    ]);
    expect(page.get('.cm-content').text()).toContain('title Three;');
    page.unmount();
  });

  it('show why an edit was refused until the text changes', async () => {
    const page = await open();
    desk.bridge.answers['config.edit_text'] = {
      text: TEXT,
      errors: [{ code: 'config_bad_value', message: 'Too long', line: 2, column: 9 }],
    };
    await page.get(TITLE).setValue('x'.repeat(9));
    await quiet();
    expect(page.get('[data-test=setting-title] [role=alert]').text()).toBe('Too long');
    useConfigurationStore().setText(`${TEXT}\n`);
    await flushPromises();
    expect(page.find('.block [role=alert]').exists()).toBe(false);
    page.unmount();
  });

  it('repeat an edit in a text that was changed meanwhile', async () => {
    const page = await open();
    const call = vi.spyOn(desk.bridge, 'call').mockImplementationOnce((() => {
      useConfigurationStore().setText(`# typed\n${TEXT}`);
      return Promise.resolve({ ok: true, value: { text: 'old', errors: [] } });
    }) as typeof desk.bridge.call);
    desk.bridge.answers['config.edit_text'] = { text: `# typed\n${TEXT.replace('One', 'Two')}`, errors: [] };
    await page.get(TITLE).setValue('Two');
    await quiet();
    expect(call).toHaveBeenCalledTimes(2);
    expect(useConfigurationStore().text).toBe(`# typed\n${TEXT.replace('One', 'Two')}`);
    page.unmount();
  });

  it('add a storage with the first recording', async () => {
    const page = await open();
    desk.bridge.answers['config.edit_text'] = { text: TEXT, errors: [] };
    await page.get('[data-test=record-switch]').setValue(true);
    await quiet();
    expect(edits()).toMatchObject([{ text: `${TEXT}dvr main {\n  root archive;\n}\n` }]);
    page.unmount();
  });

  it('are shown side by side; the form can be hidden', async () => {
    const page = await open();
    await page.setProps({ isFormShown: false });
    expect(page.find('.block').exists()).toBe(false);
    page.unmount();
  });
});
