import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DirectiveHelp } from '../../../src-preload/contract/config-language/directive-help.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import BlockFields from './BlockFields.vue';
import DirectiveField from './DirectiveField.vue';
import { useConfigurationStore } from './store.ts';
import TextWithForm from './TextWithForm.vue';

function help(name: string, more: Partial<DirectiveHelp> = {}): DirectiveHelp {
  return {
    name,
    aliases: [],
    usage: `${name} text;`,
    doc_code: name,
    doc: `What \`${name}\` does.`,
    example: '',
    default: null,
    unit: null,
    form: 'value',
    is_repeated: false,
    restarts: false,
    is_secret: false,
    is_reserved: false,
    choices: [],
    takes_options: false,
    options: [],
    block: null,
    ...more,
  };
}
const HELP = [
  help('title'),
  help('password', { is_secret: true }),
  help('disabled', { form: 'flag', choices: ['true', 'false'] }),
  help('tags', { form: 'list', is_repeated: true }),
  help('input', {
    form: 'record',
    takes_options: true,
    is_repeated: true,
    options: [
      { name: 'priority', choices: [] },
      { name: 'transport', choices: ['tcp', 'udp'] },
    ],
  }),
];
const TEXT = 'stream cam1 {\n  title One;\n}\n';

let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  localStorage.clear();
  desk = new TestDesk();
  desk.setServer();
  return () => vi.useRealTimers();
});

function field(
  directive: string,
  words: readonly string[],
  options: readonly (readonly [string, string])[] = [],
): VueWrapper {
  const known = HELP.find(({ name }) => name === directive);
  const statement = { directive, index: 0, words, options, help: known, isEditable: known !== undefined };
  return desk.mount(DirectiveField, { props: { statement } });
}

describe('a statement as fields', () => {
  it('is written when a field loses focus, and removed by its button', async () => {
    const title = field('title', ['One']);
    await title.get('input').setValue('Two');
    await title.get('button').trigger('click');
    expect(title.emitted('write')).toEqual([
      [{ directive: 'title', index: 0, words: ['Two'] }],
      [{ directive: 'title', index: 0, words: null }],
    ]);
    expect(title.get('fieldset').attributes('title')).toBe('What title does.');
    expect(title.get('legend a').attributes('href')).toBe(
      'http://desk.example/-/docs/reference/configuration.html#stream-title',
    );
  });

  it('hides secrets; an empty field keeps the stored value', async () => {
    const input = field('password', ['********']).get('input');
    expect([input.attributes('type'), input.element.value]).toEqual(['password', '']);
    const password = field('password', ['********']);
    await password.get('input').setValue('');
    expect(password.emitted('write')).toBeUndefined();
    await password.get('input').setValue('new one');
    expect(password.emitted('write')).toEqual([[{ directive: 'password', index: 0, words: ['new one'] }]]);
  });

  it('offers choices, and keeps a value that is not among them', async () => {
    const options = (one: VueWrapper): string[] => one.findAll('option').map((option) => option.text());
    expect(options(field('disabled', []))).toEqual(['true', 'false']);
    expect(options(field('disabled', ['on']))).toEqual(['on', 'true', 'false']);
    const disabled = field('disabled', []);
    await disabled.get('select').setValue('false');
    expect(disabled.emitted('write')).toEqual([[{ directive: 'disabled', index: 0, words: ['false'] }]]);
  });

  it('has a line for each item of a list', async () => {
    const tags = field('tags', ['a', 'b']);
    await tags.get('textarea').setValue('a\n\nc d\n');
    expect(tags.emitted('write')).toEqual([[{ directive: 'tags', index: 0, words: ['a', 'c d'] }]]);
  });

  it('changes, removes and adds options, and keeps others', async () => {
    const input = field(
      'input',
      ['fake://'],
      [
        ['priority', '1'],
        ['x', 'y'],
      ],
    );
    const [, priority, x] = input.findAll('input');
    await priority?.setValue('2');
    await x?.setValue('');
    await input.get('select.add').setValue('transport');
    await input.findAll('select').at(-1)?.setValue('udp');
    const written = (options: object): unknown => [{ directive: 'input', index: 0, words: ['fake://'], options }];
    expect(input.emitted('write')).toEqual([
      written({ priority: '2', x: 'y' }),
      written({ priority: '1' }),
      written({ priority: '1', x: 'y', transport: 'udp' }),
    ]);
  });

  it('leaves unsupported syntax to the text editor', () => {
    expect(field('plugin', ['a']).text()).toContain('Edit this in the text.');
  });
});

describe('a block as a form', () => {
  it('explains what to do if the cursor is in no block', () => {
    const fields = desk.mount(BlockFields, { props: { form: undefined, help: HELP, failure: '' } });
    expect(fields.text()).toContain('Place the cursor in a stream');
  });

  it('adds missing settings: switches at once, others with a first value', async () => {
    const statement = { directive: 'title', index: 0, words: ['One'], options: [], help: HELP[0], isEditable: true };
    const form = { kind: 'stream', name: 'cam1', statements: [statement] };
    const fields = desk.mount(BlockFields, { props: { form, help: HELP, failure: 'It is wrong' } });
    expect(fields.get('[role=alert]').text()).toBe('It is wrong');
    const add = fields.findAll('select').at(-1);
    expect(add?.findAll('option').map((option) => option.text())).not.toContain('title');
    await add?.setValue('disabled');
    await add?.setValue('input');
    await fields.findAll('input').at(-1)?.setValue('publish://');
    expect(fields.emitted('write')).toEqual([
      [{ directive: 'disabled', index: 0, words: [] }],
      [{ directive: 'input', index: 0, words: ['publish://'], options: {} }],
    ]);
  });
});

describe('text and form', () => {
  const quiet = async (): Promise<void> => {
    vi.advanceTimersByTime(500);
    await flushPromises();
  };
  async function open(): Promise<VueWrapper> {
    useConfigurationStore().open({ text: TEXT, revision: '1.1', version: 1 });
    const page = desk.mount(TextWithForm, {
      props: {
        isReadOnly: false,
        isFormShown: true,
        stream: 'cam1',
        help: { file: [help('stream', { block: 'stream' })], stream: HELP },
      },
      isAttached: true,
    });
    await flushPromises();
    await quiet();
    return page;
  }

  it('stay in sync in both directions', async () => {
    const page = await open();
    const title = (): HTMLInputElement => page.get('.block input').element as HTMLInputElement;
    expect([page.get('h2').text(), title().value]).toEqual(['stream cam1', 'One']);
    useConfigurationStore().setText(TEXT.replace('One', 'Two'));
    await flushPromises();
    await quiet();
    expect(title().value).toBe('Two');
    desk.bridge.answers['config.edit_text'] = { text: TEXT.replace('One', 'Three'), errors: [] };
    await page.get('.block input').setValue('Three');
    await flushPromises();
    expect(desk.bridge.calls.at(-1)).toEqual([
      'config.edit_text',
      {
        text: TEXT.replace('One', 'Two'),
        edits: [{ block: 'stream', name: 'cam1', directive: 'title', index: 0, words: ['Three'] }],
      },
    ]);
    expect(page.get('.cm-content').text()).toContain('title Three;');
  });

  it('show why an edit was refused until the text changes', async () => {
    const page = await open();
    desk.bridge.answers['config.edit_text'] = {
      text: TEXT,
      errors: [{ code: 'config_bad_value', message: 'Too long', line: 2, column: 9 }],
    };
    await page.get('.block input').setValue('x'.repeat(9));
    await flushPromises();
    expect(page.get('.block [role=alert]').text()).toBe('Too long');
    useConfigurationStore().setText(`${TEXT}\n`);
    await flushPromises();
    expect(page.find('.block [role=alert]').exists()).toBe(false);
  });

  it('are shown side by side; the form can be hidden', async () => {
    const page = await open();
    await page.setProps({ isFormShown: false });
    expect(page.find('.block').exists()).toBe(false);
  });
});
