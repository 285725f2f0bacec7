import { expect, it } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import DataTable from './DataTable.vue';

it('DataTable has headings, custom headings, and a layout for phones', () => {
  const desk = new TestDesk();
  const heads = [
    { heading: 'Name', class: 'fill' },
    { heading: 'Size', title: 'In bytes' },
  ];
  const slots = { default: '<tbody><tr><td>a</td></tr></tbody>', 'head-0': '<b>All</b>' };
  const table = desk.mount(DataTable, { props: { heads, narrow: 'cards' }, slots });
  expect(table.findAll('th').map((head) => [head.text(), head.classes(), head.attributes('title')])).toEqual([
    ['All', ['fill'], undefined],
    ['Size', [], 'In bytes'],
  ]);
  expect([table.get('td').text(), table.get('table').classes()]).toEqual(['a', ['data-table', 'cards']]);
  expect(desk.mount(DataTable).find('thead').exists()).toBe(false);
});
