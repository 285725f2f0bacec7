import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConfigImpact } from '../../../src-preload/contract/operations/config-impact.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import ApplyBar from './ApplyBar.vue';
import ConfigEditor from './ConfigEditor.vue';
import ConfigurationPage from './ConfigurationPage.vue';
import HistoryView from './HistoryView.vue';
import ProblemList from './ProblemList.vue';
import TextDifference from './TextDifference.vue';
import { useConfigurationStore } from './store.ts';
import { impactSentences } from '../../domain/settings/impact-sentences.ts';
import { isRisky } from './editor/texts.ts';

const TEXT = 'http 8080;\nstream cam1 {\n  input fake://;\n}\n';
const STATE = { error: null, version: 3, file_is_newer: false, is_saved: true, pending: null };
const NONE = { count: 0, names: [] };
const IMPACT: ConfigImpact = {
  added: NONE,
  removed: NONE,
  restarted: NONE,
  updated: NONE,
  prefixes: NONE,
  viewers: 0,
  publishers: 0,
  ports_opened: [],
  ports_closed: [],
  settings: [],
  is_reordered: false,
};
const FINE = { errors: [], warnings: [], impact: IMPACT };
const VERSION = {
  id: 2,
  parent_id: 1,
  at: 1_790_000_000_000,
  who: 'ana',
  from_where: 'desk 192.0.2.1',
  summary: 'http',
  state: 'confirmed',
  confirm_by: null,
  on_disk: true,
  length: 9,
  is_current: false,
};

let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  desk = new TestDesk();
  desk.setServer();
  desk.bridge.answers['config.state'] = STATE;
  desk.bridge.answers['config.text'] = { text: TEXT, revision: '1.3', version: 3 };
  desk.bridge.answers['config.directives'] = { blocks: {} };
  desk.bridge.answers['config.check'] = FINE;
  desk.bridge.answers['config.versions'] = { versions: [VERSION], next: null };
  desk.bridge.answers['config.version_text'] = { text: 'http 80;\n' };
  return () => {
    document.body.replaceChildren();
    vi.useRealTimers();
  };
});

const calls = (operation: string): unknown[] =>
  desk.bridge.calls.filter(([name]) => name === operation).map(([, input]) => input);
async function open(): Promise<VueWrapper> {
  const page = desk.mount(ConfigurationPage, { isAttached: true });
  await flushPromises();
  return page;
}
async function press(page: VueWrapper, text: string): Promise<void> {
  await page
    .findAll('button')
    .find((button) => button.text() === text)
    ?.trigger('click');
  await flushPromises();
}
/** Replaces the whole text. */
async function write(text: string): Promise<void> {
  useConfigurationStore().setText(text);
  await flushPromises();
  vi.advanceTimersByTime(400);
  await flushPromises();
}
const answer = async (isYes: boolean): Promise<void> => {
  useConfirmStore().settle(isYes);
  await flushPromises();
};
const shown = (page: VueWrapper): string => page.get('.cm-content').text();

describe('ConfigurationPage', () => {
  it('shows a loading message, shows an error, and retries', async () => {
    desk.bridge.setLink({ phase: 'connecting' });
    const page = await open();
    expect([page.text(), calls('config.text')]).toEqual(['Loading the configuration', []]);
    desk.bridge.errors['config.text'] = { code: 'internal', message: '' };
    desk.bridge.setLink({ phase: 'live' });
    await flushPromises();
    expect(page.text()).toContain('could not be read');
    delete desk.bridge.errors['config.text'];
    await press(page, 'Try again');
    expect(shown(page)).toContain('stream cam1');
    expect(page.text()).toContain('No changes');
  });

  it('loads nothing and has no controls with read access', async () => {
    desk.setServer({ may_write: false });
    const page = await open();
    expect(page.text()).toContain('cannot view the configuration');
    expect([calls('config.text'), page.findAll('button').length]).toEqual([[], 0]);
  });

  it('checks a changed text after a pause, and shows the effect of applying it', async () => {
    desk.bridge.answers['config.check'] = {
      ...FINE,
      impact: { ...IMPACT, restarted: { count: 1, names: ['cam1'] }, viewers: 2 },
    };
    const page = await open();
    useConfigurationStore().setText('http 80;\n');
    useConfigurationStore().setText('http 81;\n');
    await write('http 82;\n');
    expect(calls('config.check')).toEqual([{ text: TEXT }, { text: 'http 82;\n' }]);
    expect(page.text()).toContain('restarts 1 stream: cam1');
    expect(page.text()).toContain('interrupts 2 viewers');
    expect(shown(page)).toBe('http 82;');
  });

  it('shows errors with their position, and does not apply an invalid text', async () => {
    const error = { code: 'config_unknown_directive', message: 'There is no x', line: 2, column: 1 };
    const page = await open();
    desk.bridge.answers['config.check'] = { errors: [error], warnings: [{ ...error, line: 1 }], impact: null };
    await write('http 80;\nx;\n');
    expect(page.get('ul[aria-label]').text()).toContain('✕ line 2, column 1 There is no x');
    expect(page.get('[data-test=apply]').attributes('disabled')).toBeDefined();
    await page.get('ul[aria-label] button').trigger('click');
    await flushPromises();
    expect(document.activeElement?.classList.contains('cm-content')).toBe(true);
  });

  it.each([
    ['stream x { tilte y; }\n', 12, 'title', 'stream x { title y; }'],
    ['stream x { dvr @mian 2d; }\n', 16, 'main', 'stream x { dvr @main 2d; }'],
    ['stream x { on_play auth://pepole; }\n', 20, 'people', 'stream x { on_play auth://people; }'],
  ])('corrects a misspelt name by a button: %s', async (text, column, name, corrected) => {
    const page = await open();
    const explanation = { code: 'did_you_mean', facts: { name, explanation: { code: 'x', facts: {} } } };
    const error = { code: 'config_unknown_directive', message: 'x', explanation, line: 1, column };
    desk.bridge.answers['config.check'] = {
      errors: [error],
      warnings: [{ ...error, explanation: null }],
      impact: null,
    };
    await write(text);
    expect(page.findAll('[data-test=correct]').map((one) => one.text())).toEqual([`Write ${name}`]);
    await page.get('[data-test=correct]').trigger('click');
    expect(shown(page)).toBe(corrected);
  });

  it('applies a change to the same revision, and offers to undo it', async () => {
    const page = await open();
    await write('http 80;\n');
    desk.bridge.answers['config.apply'] = { ...STATE, version: 4 };
    desk.bridge.answers['config.text'] = { text: 'http 80;\n', revision: '1.4', version: 4 };
    await press(page, 'Apply');
    expect(calls('config.apply')).toEqual([{ text: 'http 80;\n', revision: '1.3' }]);
    expect(page.text()).toContain('No changes');
    const [toast] = useToastStore().toasts;
    toast?.action?.run();
    await flushPromises();
    expect(calls('config.undo')).toEqual([{ version: 4 }]);
  });

  it('applies a change on trial, and no other change meanwhile', async () => {
    const page = await open();
    await write('http 80;\n');
    await page.get('input[type=number]').setValue('0');
    await page.get('form').trigger('submit');
    await page.get('input[type=number]').setValue('30');
    desk.bridge.answers['config.state'] = {
      ...STATE,
      pending: { version: 4, confirm_by: 9, who: 'bo', from_where: 'desk' },
    };
    // The desk that made the change updates at once, without waiting for the next heartbeat.
    await page.get('form').trigger('submit');
    await flushPromises();
    expect(calls('config.apply')).toEqual([{ text: 'http 80;\n', revision: '1.3', confirm_within: 30 }]);
    await write('http 81;\n');
    expect(page.text()).toContain('A change is on trial');
    expect(page.get('[data-test=apply]').attributes('disabled')).toBeDefined();
  });

  it('shows changes of other users, and offers to merge them if there are edits', async () => {
    const page = await open();
    const become = async (text: string, version: number): Promise<void> => {
      desk.bridge.answers['config.text'] = { text, revision: `1.${version}`, version };
      desk.bridge.answers['config.state'] = { ...STATE, version };
      desk.bridge.sendInfo({});
      await flushPromises();
    };
    await become(`# one\n${TEXT}`, 4);
    expect(shown(page)).toContain('# one');
    await write(`# one\n${TEXT}stream b { }\n`);
    await become(`# two\n${TEXT}`, 5);
    expect(page.get('[role=alert]').text()).toContain('The configuration was changed while');
    expect(page.find('.tools').exists()).toBe(true);
    await press(page, 'Show the other changes');
    // Outside the text view there is no search, and the button back to the text has its own label.
    expect(page.find('.tools').exists()).toBe(false);
    await press(page, 'Back to my text');
    expect(page.find('.tools').exists()).toBe(true);
    await press(page, 'Show the other changes');
    expect(page.find('.difference').exists()).toBe(true);
    await press(page, 'Merge the other changes');
    expect([useConfigurationStore().text, page.find('[role=alert]').exists()]).toEqual([
      `# two\n${TEXT}stream b { }\n`,
      false,
    ]);
  });

  it('keeps edits while other pages are open, and discards them on request', async () => {
    const page = await open();
    await write('http 80;\n');
    page.unmount();
    const again = await open();
    expect(shown(again)).toBe('http 80;');
    await press(again, 'Discard');
    await answer(false);
    expect(shown(again)).toBe('http 80;');
    await press(again, 'Discard');
    await answer(true);
    expect(shown(again)).toContain('stream cam1');
  });

  it('shows differences, and restores versions as an edit or at once', async () => {
    const page = await open();
    await press(page, 'Changes');
    expect(page.text()).toContain('No visible differences');
    await press(page, 'History');
    expect(page.get('tbody').text()).toContain('ana desk 192.0.2.1');
    await press(page, 'Show changes');
    expect(calls('config.version_text')).toEqual([{ id: 2 }, { id: 1 }]);
    await press(page, 'Back to the list');
    await press(page, 'Restore');
    await answer(true);
    expect(calls('config.restore')).toEqual([{ id: 2 }]);
    await press(page, 'Edit');
    expect(useConfigurationStore().text).toBe('http 80;\n');
    expect(page.find('.difference').exists()).toBe(true);
  });

  it('shows that changes cannot be applied without a connection', async () => {
    const page = await open();
    await write('http 80;\n');
    desk.setServer({}, { phase: 'stale' });
    await flushPromises();
    expect(page.text()).toContain('No connection');
  });
});

describe('parts of the configuration page', () => {
  it('keep the line ends of a text that is shown read-only', async () => {
    const props = { text: 'a;\r\nb;\r\n', isReadOnly: true, help: {}, errors: [], warnings: [] };
    const editor = desk.mount(ConfigEditor, { props });
    expect(editor.findAll('.cm-line')).toHaveLength(3);
    await editor.setProps({ text: 'a;\r\nc;\r\n' });
    expect(editor.emitted('change')).toEqual([['a;\r\nc;\r\n']]);
  });

  it('show removed and added lines', () => {
    const difference = desk.mount(TextDifference, { props: { before: 'a;\n', after: 'b;\n', label: 'x' } });
    expect([difference.find('.cm-deletedChunk').text(), difference.find('.cm-changedLine').text()]).toEqual([
      'a;',
      'b;',
    ]);
  });

  it('show empty lists and errors', async () => {
    expect(desk.mount(ProblemList, { props: { errors: [], warnings: [] } }).text()).toBe('');
    desk.bridge.answers['config.versions'] = { versions: [], next: null };
    const history = desk.mount(HistoryView, { props: { current: '', mayChange: true } });
    await flushPromises();
    expect(history.text()).toBe('No versions yet');
    desk.bridge.errors['config.versions'] = { code: 'internal', message: '' };
    const failed = desk.mount(HistoryView, { props: { current: '', mayChange: true } });
    await flushPromises();
    expect(failed.text()).toContain('The history could not be read');
    delete desk.bridge.errors['config.versions'];
    await press(failed, 'Try again');
    expect(failed.text()).toBe('No versions yet');
  });

  it('compare any two versions, from the older to the newer', async () => {
    const rows = [9, 7, 4].map((id) => ({ ...VERSION, id }));
    desk.bridge.answers['config.versions'] = { versions: rows, next: null };
    const history = desk.mount(HistoryView, { props: { current: '', mayChange: false } });
    await flushPromises();
    await press(history, 'Compare with …');
    expect(history.findAll('[aria-pressed=true]')).toHaveLength(1);
    await press(history, 'Compare with 9');
    expect(calls('config.version_text')).toEqual([{ id: 7 }, { id: 9 }]);
    expect(history.get('header').text()).toContain('From version 7 to 9');
    await press(history, 'Back to the list');
    await press(history, 'Selected. Choose another version.');
    expect(history.findAll('[aria-pressed=true]')).toHaveLength(0);
  });

  it('suggest a trial for a change that could lock the operator out', () => {
    const risky = { ...IMPACT, ports_closed: ['http 8080'] };
    expect([isRisky(IMPACT), isRisky(risky), isRisky({ ...IMPACT, settings: ['edit_auth'] })]).toEqual([
      false,
      true,
      true,
    ]);
    const props = { isChanged: true, isChecking: false, mayApply: true, isBusy: false, obstacle: '', impact: risky };
    const bar = desk.mount(ApplyBar, { props });
    expect(bar.get('[data-test=try]').classes().join(' ')).toContain('primary');
  });

  it('list all effects of a change, the most severe first', () => {
    const many = { count: 7, names: ['a', 'b', 'c', 'd', 'e', 'f'] };
    const sentences = impactSentences({
      added: many,
      removed: many,
      restarted: many,
      updated: many,
      prefixes: many,
      viewers: 1,
      publishers: 2,
      ports_opened: ['rtmp 1'],
      ports_closed: ['http 2'],
      settings: ['hsts'],
      is_reordered: true,
    });
    expect(sentences.map(({ text }) => text)).toEqual([
      'stops 7 streams: a, b, c, d, e, …',
      'restarts 7 streams: a, b, c, d, e, …',
      'interrupts 1 viewer',
      'disconnects 2 encoders',
      'closes port http 2',
      'opens port rtmp 1',
      'adds 7 streams: a, b, c, d, e, …',
      'updates 7 streams without interruption: a, b, c, d, e, …',
      'changes 7 live prefixes or templates: a, b, c, d, e, …',
      'changes hsts',
      'changes the order of streams',
    ]);
    expect(impactSentences(IMPACT)).toEqual([]);
  });
});
