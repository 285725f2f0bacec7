import { useLocalStorage } from '@vueuse/core';
import { computed, type ComputedRef, type Ref } from 'vue';
import { useColumnWidths, type ColumnWidths } from './use-column-widths.ts';

/** A column of a table. Its widths are those of a grid. */
export interface TableColumn {
  readonly column: string;
  /** From the most room to the least; a column that a size has no width for is not shown there. */
  readonly sizes: readonly (string | null)[];
  /** Whether the table is nothing without it. */
  readonly isFixed?: boolean;
}

/** The columns of a table that the operator has chosen, kept on this machine. */
export interface TableColumns {
  readonly widths: ColumnWidths;
  /** Columns that are not shown. */
  readonly hidden: Ref<readonly string[]>;
  isShown(column: string): boolean;
  show(column: string, isShown: boolean): void;
  showAll(): void;
  /** `--grid-0` and so on: the columns of the grid for each size, and the widths that were chosen. */
  readonly styles: ComputedRef<Record<string, string>>;
}

/** The columns of one table, by its name. @param around widths of what stands before and behind them */
export function useTableColumns(
  table: string,
  columns: readonly TableColumn[],
  around: () => { readonly before?: string; readonly behind?: string } = () => ({}),
): TableColumns {
  const widths = useColumnWidths(table);
  const hidden = useLocalStorage<readonly string[]>(`airdesk.columns.${table}.hidden`, []);
  const isShown = (column: string): boolean =>
    !hidden.value.includes(column) || columns.some((one) => one.column === column && one.isFixed === true);
  const sizes = Math.max(...columns.map((one) => one.sizes.length));
  const styles = computed(() => {
    const { before = '', behind = '' } = around();
    const grids = Array.from({ length: sizes }, (_, size): [string, string] => {
      const shown = columns.flatMap(({ column, sizes: own }) => {
        const width = own[size] ?? null;
        return width !== null && isShown(column) ? [`var(--w-${column}, ${width})`] : [];
      });
      return [`--grid-${size}`, [before, ...shown, behind].filter((one) => one !== '').join(' ')];
    });
    return { ...Object.fromEntries(grids), ...widths.styles.value };
  });
  return {
    widths,
    hidden,
    isShown,
    styles,
    show(column, isWanted) {
      const others = hidden.value.filter((one) => one !== column);
      hidden.value = isWanted ? others : [...others, column];
    },
    showAll() {
      hidden.value = [];
    },
  };
}
