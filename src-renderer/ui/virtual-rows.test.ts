import { mount } from '@vue/test-utils';
import { expect, it } from 'vitest';
import { h, nextTick } from 'vue';
import VirtualRows from './VirtualRows.vue';

it('VirtualRows draws visible rows, and emits pressed keys', async () => {
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 320 });
  const rows = Array.from({ length: 5000 }, (_, at) => at);
  const list = mount(VirtualRows, {
    props: { rows, rowEm: 2, label: 'Numbers' },
    slots: { default: ({ row }: { row: unknown }) => h('p', String(row)) },
    attachTo: 'body',
  });
  await nextTick();
  expect(list.findAll('p')[0]?.text()).toBe('0');
  expect(list.findAll('p').length).toBeLessThan(60);
  for (const key of ['ArrowDown', 'ArrowUp', 'Escape']) await list.get('.rows').trigger('keydown', { key });
  expect([list.emitted('step'), list.emitted('leave')]).toEqual([[[1], [-1]], [[]]]);
  await list.setProps({ rows: [] });
  expect(list.findAll('p')).toEqual([]);
  list.unmount();
});
