import { flushPromises, type DOMWrapper, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { directiveHelp } from '../../../src-main/config/directive-help.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import AlarmSettings from './AlarmSettings.vue';
import EntryField from './EntryField.vue';
import InputSettings from './InputSettings.vue';
import RecordingSettings from './RecordingSettings.vue';
import { FIELDS, type SettingField } from './setting-fields.ts';
import { SettingBlocks } from './setting-blocks.ts';
import NewStreamSettings from './NewStreamSettings.vue';
import SettingControl from './SettingControl.vue';
import SettingRow from './SettingRow.vue';
import SettingSections from './SettingSections.vue';
import StreamSettingsDialog from './StreamSettingsDialog.vue';
import type { Settings } from './statements.ts';
import { usePictureWatch } from './use-picture-watch.ts';

const HELP = directiveHelp();
const TEXT = `http 80;
auth_backend north { }
live studio { }
template cams { segment_count 9; dvr @main 2d; }
stream cam1 {
  title One;
  input publish://;
  labels site=a;
}
`;
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

let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  document.body.innerHTML = '';
  desk = new TestDesk();
  desk.setServer();
  Object.assign(desk.bridge.answers, {
    'config.text': { text: TEXT, revision: '1.1', version: 1 },
    'config.directives': { blocks: HELP },
    'config.edit_text': { text: TEXT.replace('One', 'Two'), errors: [] },
    'config.check': { errors: [], warnings: [], impact: IMPACT },
    'config.apply': { version: 2 },
    'system.state': {
      disks: [
        { storage: 'main', free_bytes: 2e12 },
        { storage: 'main', free_bytes: 1e12 },
      ],
    },
  });
  return () => vi.useRealTimers();
});

const quiet = async (): Promise<void> => {
  vi.advanceTimersByTime(500);
  await flushPromises();
};
/** The dialog element is outside its component. */
const dialogElement = (): HTMLElement => document.querySelector<HTMLElement>('[role=dialog]') ?? document.body;
const find = <T extends HTMLElement>(selector: string): T => {
  const found = dialogElement().querySelector<T>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
};
async function enter(selector: string, value: string): Promise<void> {
  const input = find<HTMLInputElement>(selector);
  input.value = value;
  input.dispatchEvent(new Event('input'));
  await quiet();
}
async function open(stream = 'cam1'): Promise<VueWrapper> {
  const dialog = desk.mount(StreamSettingsDialog, { props: { stream }, isAttached: true });
  await flushPromises();
  return dialog;
}
const TITLE = '[data-test=setting-title] input';

describe('the settings dialog of a stream', () => {
  it('shows a change and its effect, applies it to the same revision, and offers to undo it', async () => {
    const dialog = await open();
    expect(find<HTMLInputElement>(TITLE).value).toBe('One');
    await enter(TITLE, 'Two');
    expect(desk.bridge.calls).toContainEqual([
      'config.edit_text',
      { text: TEXT, edits: [{ block: 'stream', name: 'cam1', directive: 'title', index: 0, words: ['Two'] }] },
    ]);
    expect(find('[role=status]').textContent).toMatch(/restarts 1 stream.*3 viewers/s);
    find('[data-test=apply-settings]').click();
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['config.apply', { text: TEXT.replace('One', 'Two'), revision: '1.1' }]);
    expect(useToastStore().toasts[0]?.action?.label).toBe('Undo');
    expect(dialog.emitted('close')).toHaveLength(1);
    dialog.unmount();
  });

  it('sends one edit after several key presses, when the operator pauses', async () => {
    const dialog = await open();
    for (const value of ['T', 'Tw', 'Two']) {
      const input = find<HTMLInputElement>(TITLE);
      input.value = value;
      input.dispatchEvent(new Event('input'));
    }
    expect(desk.bridge.called).not.toContain('config.edit_text');
    expect(find('[data-test=apply-settings]').hasAttribute('disabled')).toBe(true);
    await quiet();
    expect(desk.bridge.called.filter((call) => call === 'config.edit_text')).toHaveLength(1);
    dialog.unmount();
  });

  it('applies its edits to a newer revision after a conflict, and discards them on request', async () => {
    const dialog = await open();
    await enter(TITLE, 'Two');
    const theirs = `${TEXT}rtmp 1935;\n`;
    desk.bridge.answers['config.text'] = { text: theirs, revision: '2.2', version: 2 };
    desk.bridge.errors['config.apply'] = { code: 'config_changed_since', message: '' };
    find('[data-test=apply-settings]').click();
    await flushPromises();
    expect(desk.bridge.calls.filter(([call]) => call === 'config.edit_text').at(-1)?.[1]).toMatchObject({
      text: theirs,
    });
    expect(dialog.emitted('close')).toBeUndefined();
    find(TITLE).dispatchEvent(new Event('blur'));
    find('[data-test=discard-settings]').click();
    await flushPromises();
    expect(find<HTMLInputElement>(TITLE).value).toBe('One');
    dialog.unmount();
  });

  it('shows the reason for a refused value beside its field, and cannot be applied', async () => {
    const dialog = await open();
    const explanation = {
      code: 'directive_value_wrong',
      facts: { name: 'title', expected: { code: 'value_text', facts: { limit: 200 } } },
    };
    desk.bridge.answers['config.edit_text'] = {
      text: TEXT,
      errors: [{ code: 'config_bad_value', message: 'Too long', explanation }],
    };
    await enter(TITLE, 'x'.repeat(500));
    expect(find('[data-test=setting-title] [role=alert]').textContent).toMatch(/^Enter a text .*200/);
    expect(find('[data-test=apply-settings]').hasAttribute('disabled')).toBe(true);
    dialog.unmount();
  });

  it('asks for confirmation before closing with changes', async () => {
    const dialog = await open();
    await enter(TITLE, 'Two');
    dialog.getComponent({ name: 'AppDialog' }).vm.$emit('close');
    await flushPromises();
    expect(useConfirmStore().request?.title).toBe('Discard the changes?');
    useConfirmStore().settle(false);
    await flushPromises();
    expect(dialog.emitted('close')).toBeUndefined();
    dialog.unmount();
  });

  it('shows the text, and names settings that only the text has', async () => {
    const dialog = await open();
    expect(find('[data-test=more-settings]').textContent).toBe('1 more setting in the text: labels');
    find('[data-test=as-text]').click();
    await flushPromises();
    expect(find('pre').textContent).toBe('stream cam1 {\n  title One;\n  input publish://;\n  labels site=a;\n}');
    expect(find('a').getAttribute('href')).toBe('/configuration?stream=cam1');
    dialog.unmount();
  });

  it('adds a storage with the first recording', async () => {
    const dialog = await open();
    find<HTMLInputElement>('[data-test=record-switch]').click();
    await quiet();
    const [, input] = desk.bridge.calls.find(([call]) => call === 'config.edit_text') ?? [];
    expect(input).toEqual({
      text: `${TEXT}dvr main {\n  root archive;\n}\n`,
      edits: [{ block: 'stream', name: 'cam1', directive: 'dvr', index: 0, words: ['@main', '7d'] }],
    });
    dialog.unmount();
  });

  it('of a published stream changes its live prefix', async () => {
    const dialog = await open('studio/a');
    expect(find('[data-test=of-prefix]').textContent).toContain('under studio/');
    await enter(TITLE, 'All');
    const [, input] = desk.bridge.calls.find(([call]) => call === 'config.edit_text') ?? [];
    expect(input).toMatchObject({ edits: [{ block: 'live', name: 'studio' }] });
    dialog.unmount();
  });

  it('shows an error for a stream without a block, and for a configuration that cannot be read', async () => {
    const gone = await open('gone');
    expect(dialogElement().textContent).toContain('not in the configuration');
    gone.unmount();
    desk.bridge.errors['config.text'] = { code: 'forbidden', message: '' };
    const failed = await open();
    expect(find('[role=alert]').textContent).toContain('could not be read');
    failed.unmount();
  });
});

describe('usePictureWatch', () => {
  it('enables alarms of streams and live prefixes in one change, and keeps those of templates', async () => {
    const text = `${TEXT}template loud { alarm level; }\nstream cam2 { template loud; alarm black; input fake://; }\nstream cam3 { template loud; }\n`;
    desk.bridge.answers['config.text'] = { text, revision: '1.1', version: 1 };
    const { result: watchPictures, end } = desk.run(usePictureWatch);
    await watchPictures(['cam1', 'cam2', 'cam3', 'studio/a', 'studio/b', 'gone']);
    const [, input] = desk.bridge.calls.find(([call]) => call === 'config.edit_text') ?? [];
    const { edits } = input as { edits: { name: string; words: string[] }[] };
    expect(edits.map(({ name, words }) => `${name} ${words.join(' ')}`)).toEqual([
      'cam1 black',
      'cam1 frozen',
      'cam1 silence',
      'cam2 frozen',
      'cam2 silence',
      'cam3 level',
      'cam3 black',
      'cam3 frozen',
      'cam3 silence',
      'studio black',
      'studio frozen',
      'studio silence',
    ]);
    expect(useToastStore().toasts.at(-1)?.action?.label).toBe('Undo');
    end();
  });

  it('changes nothing if the streams are watched, and splits hundreds of streams into several calls', async () => {
    const watched = 'stream cam { alarm black; alarm frozen; alarm silence; }\n';
    desk.bridge.answers['config.text'] = { text: watched, revision: '1.1', version: 1 };
    const { result: watchPictures, end } = desk.run(usePictureWatch);
    await watchPictures(['cam']);
    expect(desk.bridge.called).not.toContain('config.edit_text');
    const names = Array.from({ length: 70 }, (_, at) => `cam${at}`);
    const text = names.map((name) => `stream ${name} { }\n`).join('');
    desk.bridge.answers['config.text'] = { text, revision: '1.1', version: 1 };
    await watchPictures(names);
    expect(desk.bridge.called.filter((call) => call === 'config.edit_text')).toHaveLength(3);
    expect(desk.bridge.called.filter((call) => call === 'config.apply')).toHaveLength(1);
    end();
  });
});

/** Settings of a stream with these statements. */
function settingsOf(statements: string): { readonly settings: Settings; readonly existing: SettingBlocks['existing'] } {
  const blocks = new SettingBlocks(TEXT.replace('title One;', statements), HELP);
  const settings = blocks.settingsOf({ kind: 'stream', name: 'cam1' });
  if (!settings) throw new Error('there is no stream');
  return { settings, existing: blocks.existing };
}
const fieldOf = (id: string): SettingField => {
  const found = Object.values(FIELDS)
    .flat()
    .find((one) => one.id === id);
  if (!found) throw new Error(`there is no field ${id}`);
  return found;
};
const control = (id: string, statements = '', failure?: object): VueWrapper =>
  desk.mount(SettingControl, { props: { field: fieldOf(id), ...settingsOf(statements), failure } });
const editsOf = (part: VueWrapper): unknown[] | undefined =>
  part.emitted('write')?.map(([change]) => (change as { edits: unknown }).edits);
const optionsOf = (select: Pick<DOMWrapper<Element>, 'findAll'>): string[] =>
  select.findAll('option').map((one) => one.text());

describe('a setting in the dialog', () => {
  it('has a label for its control, a link to the documentation, and a unit', () => {
    const row = control('segmentDuration');
    expect(row.get('label').attributes('for')).toBe(row.get('input').attributes('id'));
    expect(row.get('a').attributes('href')).toBe(
      'http://desk.example/-/docs/reference/configuration.html#stream-segment_duration',
    );
    expect([row.get('input').attributes('placeholder'), row.get('.unit').text()]).toEqual(['2', 's']);
    expect(desk.mount(SettingRow, { props: { label: 'A', directive: 'title', hint: 'why' } }).text()).toContain('why');
  });

  it('shows an error for numbers out of range', () => {
    expect(control('segmentDuration', 'segment_duration 900;').get('[role=alert]').text()).toBe(
      'Enter a number from 0.5 to 60.',
    );
    const failure = { key: 'title', text: 'Too long' };
    expect(control('title', 'title One;', failure).get('[role=alert]').text()).toBe('Too long');
  });

  it('offers existing values and any other value', async () => {
    const backend = control('onPlay');
    expect(optionsOf(backend.get('select'))).toEqual([
      'Everyone',
      'auth://north',
      'Everyone, without a backend',
      'Other …',
    ]);
    await backend.get('select').setValue('auth://north');
    await backend.get('select').setValue(' other');
    await backend.get('input').setValue('http://127.0.0.1/play');
    const play = (word: string): unknown => [{ directive: 'on_play', index: 0, words: [word] }];
    expect(editsOf(backend)).toEqual([play('auth://north'), play('http://127.0.0.1/play')]);
    expect(control('onPlay', 'on_play http://192.0.2.1/;').get('input').element.value).toBe('http://192.0.2.1/');
    expect(optionsOf(control('template').get('select'))).toEqual(['None', 'studio', 'cams']);
    expect(optionsOf(control('overrun').get('select'))[0]).toBe('Default: Cut the clip');
  });

  it('hides a secret; an empty field keeps the stored one, and a button removes it', async () => {
    const password = control('password', 'password ********;');
    expect([password.get('input').attributes('type'), password.get('input').element.value]).toEqual(['password', '']);
    await password.get('input').setValue('');
    await password.get('input').setValue('new one');
    await password.get('button').trigger('click');
    const edit = (words: unknown): unknown => [{ directive: 'password', index: 0, words }];
    expect(editsOf(password)).toEqual([edit(['new one']), edit(null)]);
  });

  it('is written as a switch only if it differs from the inherited value', async () => {
    const dash = control('dash');
    expect(dash.get('input').element.checked).toBe(true);
    await dash.get('input').setValue(false);
    expect(editsOf(dash)).toEqual([[{ directive: 'dash_off', index: 0, words: [] }]]);
  });

  it('shows the value of the template, and is disabled if it needs another setting', () => {
    const count = control('segmentCount', 'template cams;');
    expect([count.get('input').attributes('placeholder'), count.text()]).toEqual([
      '9',
      expect.stringContaining('From the template.'),
    ]);
    expect(control('maxSessions').get('input').attributes('disabled')).toBe('');
    expect(control('maxSessions', 'on_play auth://north;').get('input').attributes('disabled')).toBeUndefined();
  });

  it('keeps the typed text while it is focused', async () => {
    const entry = desk.mount(EntryField, { props: { id: 'a', value: '1', control: 'text' } });
    await entry.get('input').setValue(' 1. ');
    expect([entry.emitted('write'), entry.get('input').element.value]).toEqual([[['1.']], ' 1. ']);
    await entry.get('input').trigger('blur');
    expect(entry.get('input').element.value).toBe('1');
  });
});

describe('the sections of the settings dialog', () => {
  it('have a summary of their contents while they are closed', () => {
    const sections = desk.mount(SettingSections, {
      props: {
        ...settingsOf('template cams; password a; ad_breaks fill=programme;'),
        open: ['inputs'],
        hidden: ['outputs'],
      },
    });
    expect(
      sections
        .findAll('summary')
        .slice(0, 6)
        .map((one) => one.text()),
    ).toEqual([
      'General',
      'Inputs1 input',
      'Recording2 days, main',
      'AccessPassword for encoders · Viewers: everyone',
      'Advertisements1 setting',
      'Alarms5 alarms',
    ]);
    expect(sections.findAll('details').filter((one) => one.attributes('open') !== undefined)).toHaveLength(1);
    const day = desk.mount(SettingSections, { props: { ...settingsOf('dvr @main 1d;'), open: [], hidden: [] } });
    expect(day.findAll('summary')[2]?.text()).toBe('Recording1 day, main');
  });

  it('have inputs that can be added, changed and removed', async () => {
    const inputs = desk.mount(InputSettings, { props: settingsOf('input fake:// priority=1 program=2;') });
    expect(inputs.text()).toContain('Options in the text: program');
    await inputs.get('[data-test=input-0]').setValue('udp://239.0.0.1:1');
    await inputs.get('[data-test=add-input]').trigger('click');
    await inputs.get('[data-test=input-2]').setValue('publish://');
    await inputs.get('[aria-label="Remove Input 2"]').trigger('click');
    expect(editsOf(inputs)).toEqual([
      [{ directive: 'input', index: 0, words: ['udp://239.0.0.1:1'], options: { priority: '1', program: '2' } }],
      [{ directive: 'input', index: 2, words: ['publish://'] }],
      [{ directive: 'input', index: 1, words: null }],
    ]);
  });

  it('are closed for a new stream, also for a login that cannot read the configuration', async () => {
    desk.bridge.errors['config.text'] = { code: 'forbidden', message: '' };
    const sections = desk.mount(NewStreamSettings);
    await flushPromises();
    expect(sections.findAll('details').filter((one) => one.attributes('open') !== undefined)).toEqual([]);
    await sections.get('[data-test=setting-title] input').setValue('Gate');
    expect(sections.emitted('change')).toEqual([[[{ directive: 'title', words: ['Gate'] }]]]);
    expect(useToastStore().toasts).toEqual([]);
  });

  it('have the recording of the stream, and show that of the template', async () => {
    const { settings, existing } = settingsOf('dvr @main 7d;');
    const props = { settings, existing: { ...existing, storages: ['main', 'slow'] } };
    const own = desk.mount(RecordingSettings, { props });
    await flushPromises();
    expect(optionsOf(own.get('select'))).toEqual(['main (3.0 TB free)', 'slow']);
    await own.get('[data-test=recording-days]').setValue('3');
    await own.get('[data-test=recording-size]').setValue('500');
    const dvr = (...words: string[]): unknown => [{ directive: 'dvr', index: 0, words }];
    expect(editsOf(own)).toEqual([dvr('@main', '3d'), dvr('@main', '7d', '500G')]);
    const inherited = desk.mount(RecordingSettings, { props: settingsOf('template cams;') });
    const record = inherited.get<HTMLInputElement>('[data-test=record-switch]');
    expect([record.element.checked, record.attributes('disabled')]).toEqual([true, '']);
  });

  it('have alarms that can be enabled, with thresholds', async () => {
    const { settings } = settingsOf('alarm frozen raise=9s;');
    const alarms = desk.mount(AlarmSettings, { props: { settings } });
    await alarms.get('[data-test=watch-picture]').trigger('click');
    const alarm = (index: number, kind: string): unknown => ({ directive: 'alarm', index, words: [kind] });
    expect(editsOf(alarms)).toEqual([[alarm(1, 'black'), alarm(2, 'silence')]]);
    await alarms.get('[data-test=alarm-black] input').setValue(true);
    const raise = alarms.get<HTMLInputElement>('[aria-label="Frozen: seconds until the alarm"]');
    expect([raise.element.value, raise.attributes('placeholder')]).toEqual(['9', '30']);
    await raise.setValue('12');
    await alarms.get('[aria-label="Frozen: severity"]').setValue('info');
    expect(editsOf(alarms)?.slice(1)).toEqual([
      [alarm(1, 'black')],
      [{ directive: 'alarm', index: 0, words: ['frozen'], options: { raise: '12s' } }],
      [{ directive: 'alarm', index: 0, words: ['frozen', 'info'], options: { raise: '9s' } }],
    ]);
  });
});
