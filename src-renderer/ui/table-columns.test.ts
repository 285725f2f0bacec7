import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import ColumnChoice from './ColumnChoice.vue';
import { useTableColumns, type TableColumn } from './use-table-columns.ts';

const COLUMNS: readonly TableColumn[] = [
  { column: 'name', sizes: ['1fr', '1fr'], isFixed: true },
  { column: 'size', sizes: ['4rem', null] },
  { column: 'age', sizes: ['5rem', '3rem'] },
];
const CHOICES = [
  { column: 'size', heading: 'Size' },
  { column: 'age', heading: 'Age' },
];
/** Table with a checkbox before each row. */
const Table = defineComponent({
  setup() {
    const columns = useTableColumns('test', COLUMNS, () => ({ before: '2rem' }));
    return () => h('div', { style: columns.styles.value }, h(ColumnChoice, { columns, choices: CHOICES }));
  },
});

beforeEach(() => {
  localStorage.clear();
  setActivePinia(createPinia());
});
const open = (): VueWrapper => mount(Table, { attachTo: document.body });
const gridOf = (table: VueWrapper, size: number): string =>
  (table.element as HTMLElement).style.getPropertyValue(`--grid-${size}`);
async function click(test: string): Promise<void> {
  document.querySelector<HTMLElement>(`[data-test=${test}]`)?.click();
  await flushPromises();
}

it('useTableColumns shows the selected columns that fit, and stores the selection', async () => {
  const table = open();
  expect([gridOf(table, 0), gridOf(table, 1)]).toEqual([
    '2rem var(--w-name, 1fr) var(--w-size, 4rem) var(--w-age, 5rem)',
    '2rem var(--w-name, 1fr) var(--w-age, 3rem)',
  ]);
  await click('columns');
  await click('show-size');
  expect(gridOf(table, 0)).toBe('2rem var(--w-name, 1fr) var(--w-age, 5rem)');
  table.unmount();
  const next = open();
  expect(gridOf(next, 0)).toBe('2rem var(--w-name, 1fr) var(--w-age, 5rem)');
  await click('columns');
  await click('show-all');
  expect(gridOf(next, 0)).toContain('--w-size');
  next.unmount();
});

it('useTableColumns always shows the key column', () => {
  localStorage.setItem('airdesk.columns.test.hidden', '["name","age","none"]');
  const table = open();
  expect(gridOf(table, 1)).toBe('2rem var(--w-name, 1fr)');
  table.unmount();
});
