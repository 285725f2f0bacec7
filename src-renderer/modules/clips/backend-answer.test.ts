import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { answerProblem, backendAnswer, indented } from './backend-answer.ts';
import BackendAnswer from './BackendAnswer.vue';
import TestBackends from './TestBackends.vue';

const ANSWER = '{"ad_inject":{"v":2,"preroll":["ads/a.mp4"]}}';
let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  desk.bridge.answers['clips.backends'] = { backends: [{ name: 'summer', path: '/data/summer.json', text: ANSWER }] };
});
async function open(paths = ['ads/a.mp4']): Promise<VueWrapper> {
  const answer = desk.mount(BackendAnswer, { props: { paths, stream: 'cam1' } });
  await flushPromises();
  return answer;
}

describe('BackendAnswer', () => {
  it('is built for a position, edited, and copied if it is valid', async () => {
    const answer = await open();
    const text = (): string => answer.get('textarea').element.value;
    expect(text()).toBe(indented(ANSWER));
    await answer.get('select').setValue('splicing');
    expect(text()).toContain('"midroll_insert_by": "splicing"');
    const copied: string[] = [];
    vi.stubGlobal('navigator', { clipboard: { writeText: async (one: string) => copied.push(one) } });
    await answer.get('[data-test=copy]').trigger('click');
    await flushPromises();
    vi.unstubAllGlobals();
    expect([copied, answer.get('[data-test=copy]').text()]).toEqual([[text()], 'Copied']);
    await answer.get('textarea').setValue('{"ad_inject":{"v":3}}');
    expect([answer.find('[data-test=copy]').exists(), answer.get('[role=status]').text()]).toEqual([
      false,
      expect.stringContaining('ad_inject.v'),
    ]);
    expect(answer.get('button[type=submit]').attributes('disabled')).toBeDefined();
  });

  it('is parsed as on the server', () => {
    expect(
      [ANSWER, '', 'null', '{"ad_inject":{"preroll":["/etc/passwd"]}}'].map((text) => answerProblem(text) === ''),
    ).toEqual([true, false, false, false]);
    expect(JSON.parse(backendAnswer(['ads/a.mp4'], 'interval'))).toEqual({
      ad_inject: { v: 2, midroll: ['ads/a.mp4'], midroll_insert_by: 'interval', midroll_interval: 600 },
    });
    expect([indented('{"a":1}'), indented('{')]).toEqual(['{\n  "a": 1\n}', '{']);
  });

  it('hides test backends without write access', async () => {
    desk.setServer({ may_write: false });
    expect((await open()).findComponent(TestBackends).exists()).toBe(false);
  });
});

describe('the order of clips', () => {
  it('is changed by dragging and by the keyboard', async () => {
    const answer = await open(['ads/a.mp4', 'ads/b.mp4', 'ads/c.mp4']);
    const played = (): string[] => JSON.parse(answer.get('textarea').element.value).ad_inject.preroll;
    const clips = answer.findAll('li');
    await clips[2]?.trigger('dragstart');
    await clips[0]?.trigger('drop');
    expect(played()).toEqual(['ads/c.mp4', 'ads/a.mp4', 'ads/b.mp4']);
    await answer.get('button[aria-label="Move a.mp4 down"]').trigger('click');
    expect(played()).toEqual(['ads/c.mp4', 'ads/b.mp4', 'ads/a.mp4']);
  });
});

/** Impact of a configuration that restarts these streams. */
function impactOf({ restarted = [] }: { readonly restarted?: readonly string[] }): object {
  const none = { count: 0, names: [] };
  return {
    added: none,
    removed: none,
    restarted: { count: restarted.length, names: restarted },
    updated: none,
    prefixes: none,
    viewers: 0,
    publishers: 0,
    ports_opened: [],
    ports_closed: [],
    settings: [],
    is_reordered: false,
  };
}

describe('test backends', () => {
  it('are used for a stream with one button, which can be undone', async () => {
    desk.setStreams(aStream());
    desk.bridge.answers['clips.save_backend'] = { path: '/data/winter.json' };
    desk.bridge.answers['config.text'] = { text: 'stream cam1 {}', revision: '1.1', version: 1 };
    desk.bridge.answers['config.edit_text'] = { text: 'stream cam1 { on_play /data/winter.json; }', errors: [] };
    desk.bridge.answers['config.check'] = { errors: [], warnings: [], impact: impactOf({ restarted: ['cam1'] }) };
    desk.bridge.answers['config.apply'] = { version: 2 };
    const answer = await open();
    await answer.getComponent(TestBackends).get('input').setValue('winter');
    await answer.get('[data-test=use]').trigger('click');
    await flushPromises();
    // Nothing is applied before the operator has seen the effect.
    expect(useConfirmStore().request).toMatchObject({ title: 'Use for cam1?', isDestructive: true });
    expect(useConfirmStore().request?.body).toMatch(/^Restarts .*cam1\.$/);
    expect(desk.bridge.called).not.toContain('config.apply');
    useConfirmStore().settle(true);
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual([
      'config.edit_text',
      {
        text: 'stream cam1 {}',
        edits: [{ block: 'stream', name: 'cam1', directive: 'on_play', index: 0, words: ['/data/winter.json'] }],
      },
    ]);
    expect(answer.emitted('attached')).toEqual([[]]);
    const [toast] = useToastStore().toasts;
    expect(toast?.text).toBe('cam1 asks the backend winter for each new viewer.');
    toast?.action?.run();
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['config.undo', { version: 2 }]);
  });

  it('are not used for a stream if the operator cancels', async () => {
    desk.setStreams(aStream());
    desk.bridge.answers['clips.save_backend'] = { path: '/data/winter.json' };
    desk.bridge.answers['config.text'] = { text: '', revision: '1.1', version: 1 };
    desk.bridge.answers['config.edit_text'] = { text: '', errors: [] };
    desk.bridge.answers['config.check'] = { errors: [], warnings: [], impact: impactOf({}) };
    const answer = await open();
    await answer.getComponent(TestBackends).get('input').setValue('winter');
    await answer.get('[data-test=use]').trigger('click');
    await flushPromises();
    expect(useConfirmStore().request?.body).toBe('No stream restarts, and no viewer is interrupted.');
    useConfirmStore().settle(false);
    await flushPromises();
    expect(desk.bridge.called).not.toContain('config.apply');
    expect(answer.emitted('attached')).toBeUndefined();
  });

  it('of a published stream are set in its live prefix', async () => {
    desk.setStreams(aStream({ named_by: 'user' }));
    const answer = await open();
    expect(answer.find('[data-test=use]').exists()).toBe(false);
    expect(answer.text()).toContain('Set on_play in its live prefix');
  });

  it('are opened, saved, and saved under another name', async () => {
    const answer = await open();
    const backends = answer.getComponent(TestBackends);
    await backends.get('select').setValue('summer');
    expect(answer.get('textarea').element.value).toContain('"ads/a.mp4"');
    expect(backends.get('code').text()).toBe('on_play /data/summer.json;');
    await answer.get('textarea').setValue('{"ad_inject":{}}');
    await backends.get('form').trigger('submit');
    await backends.get('input').setValue('no name');
    expect(backends.get('button').attributes('disabled')).toBeDefined();
    await backends.get('input').setValue('winter');
    await backends.get('form').trigger('submit');
    expect(desk.bridge.calls.filter(([name]) => name === 'clips.save_backend').map(([, input]) => input)).toEqual([
      { name: 'summer', text: '{"ad_inject":{}}' },
      { name: 'winter', text: '{"ad_inject":{}}' },
    ]);
  });

  it('are deleted after a confirmation', async () => {
    const backends = desk.mount(TestBackends, { props: { text: '{}', canSave: true, stream: '' } });
    await flushPromises();
    await backends.get('select').setValue('summer');
    await backends.get('button[type=button]').trigger('click');
    useConfirmStore().settle(true);
    await flushPromises();
    expect([
      desk.bridge.called.filter((name) => name === 'clips.delete_backend').length,
      backends.find('code').exists(),
    ]).toEqual([1, false]);
  });
});
