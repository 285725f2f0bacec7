import { mount, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import ColumnGrip from './ColumnGrip.vue';
import SortHead from './SortHead.vue';
import { useColumnWidths } from './use-column-widths.ts';

/** Heading of a table with two columns. */
const Table = defineComponent({
  setup() {
    const widths = useColumnWidths('test');
    return () =>
      h(
        'div',
        { style: widths.styles.value },
        ['name', 'size'].map((column) => h('span', [h(ColumnGrip, { column, label: column, widths })])),
      );
  },
});

beforeEach(() => {
  localStorage.clear();
  // A document without layout has no widths.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 160, 20));
  HTMLElement.prototype.setPointerCapture = () => undefined;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const open = (): VueWrapper => mount(Table, { attachTo: document.body });
const widthOf = (table: VueWrapper, column: string): string =>
  (table.element as HTMLElement).style.getPropertyValue(`--w-${column}`);

describe('the widths of columns', () => {
  it('are dragged, stored, and reset', async () => {
    const table = open();
    expect(widthOf(table, 'name')).toBe('');
    const grip = table.get('[data-test=width-name]');
    await grip.trigger('pointerdown', { button: 0, clientX: 100, pointerId: 1 });
    await grip.trigger('pointermove', { clientX: 132 });
    await grip.trigger('pointerup');
    await grip.trigger('pointermove', { clientX: 500 });
    expect([widthOf(table, 'name'), widthOf(table, 'size')]).toEqual(['minmax(3rem, 12rem)', '']);
    table.unmount();
    const next = open();
    expect(widthOf(next, 'name')).toBe('minmax(3rem, 12rem)');
    await next.get('[data-test=width-name]').trigger('dblclick');
    expect(widthOf(next, 'name')).toBe('');
    next.unmount();
  });

  it('are set by keyboard, within limits', async () => {
    const table = open();
    const grip = table.get('[data-test=width-size]');
    await grip.trigger('keydown', { key: 'ArrowRight' });
    expect([widthOf(table, 'size'), grip.attributes('aria-valuenow')]).toEqual(['minmax(3rem, 10.5rem)', '10.5']);
    vi.mocked(HTMLElement.prototype.getBoundingClientRect).mockReturnValue(new DOMRect(0, 0, 48, 20));
    await grip.trigger('keydown', { key: 'ArrowLeft' });
    expect(widthOf(table, 'size')).toBe('minmax(3rem, 3rem)');
    await grip.trigger('keydown', { key: 'Delete' });
    expect(widthOf(table, 'size')).toBe('');
    table.unmount();
  });

  it('are ignored if invalid', async () => {
    localStorage.setItem('airdesk.columns.test', '{"name":9999,"size":5}');
    const table = open();
    await nextTick();
    expect([widthOf(table, 'name'), widthOf(table, 'size')]).toEqual(['', 'minmax(3rem, 5rem)']);
    table.unmount();
  });
});

describe('SortHead', () => {
  it('shows the sort order, and changes it', async () => {
    const widths = useColumnWidths('test');
    const head = mount(SortHead, { props: { column: 'name', label: 'Name', by: 'size', isDescending: true, widths } });
    expect([head.attributes('aria-sort'), head.get('button').text()]).toEqual(['none', 'Name']);
    await head.get('button').trigger('click');
    expect(head.emitted('sort')).toHaveLength(1);
    await head.setProps({ by: 'name' });
    expect([head.attributes('aria-sort'), head.get('button').text()]).toEqual(['descending', 'Name ▾']);
    await head.setProps({ isDescending: false });
    expect([head.attributes('aria-sort'), head.get('button').text()]).toEqual(['ascending', 'Name ▴']);
  });
});
