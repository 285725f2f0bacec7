import { flushPromises } from '@vue/test-utils';
import { expect, it } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import TakeInputDialog from './TakeInputDialog.vue';
import { useTakeStore } from './take-store.ts';

it('TakeInputDialog shows the picture of an input, and can be confirmed before it arrives', async () => {
  const desk = new TestDesk();
  desk.bridge.answers['streams.probe_input'] = {
    protocol: 'udp',
    media_info: null,
    left_out: [],
    problems: [],
    picture: 'AAAA',
  };
  desk.mount(TakeInputDialog);
  const dialog = (): Element | null => document.body.querySelector('[role=dialog]');
  const answer = useTakeStore().requestAnswer('cam1', 1);
  await flushPromises();
  expect(desk.bridge.calls.at(-1)).toMatchObject(['streams.probe_input', { name: 'cam1', index: 1 }]);
  expect(dialog()?.getAttribute('aria-label')).toBe('Put input 2 of cam1 on air?');
  expect(dialog()?.querySelector('img')?.getAttribute('src')).toBe('data:image/jpeg;base64,AAAA');
  document.body.querySelector<HTMLElement>('[data-test=take-input]')?.click();
  expect(await answer).toBe(true);
});
