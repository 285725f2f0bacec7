import { useLocalStorage } from '@vueuse/core';
import { computed, type ComputedRef, type Ref } from 'vue';
import { useColumnWidths, type ColumnWidths } from './use-column-widths.ts';

/** Column of a table. Its widths are sizes of CSS grid tracks. */
export interface TableColumn {
  readonly column: string;
  /** Widths from the widest layout to the narrowest; null hides the column in that layout. */
  readonly sizes: readonly (string | null)[];
  /** Whether the column cannot be hidden. */
  readonly isFixed?: boolean;
}

/** Columns that the operator chose to show; stored on this machine. */
export interface TableColumns {
  readonly widths: ColumnWidths;
  /** Hidden columns. */
  readonly hidden: Ref<readonly string[]>;
  isShown(column: string): boolean;
  show(column: string, isShown: boolean): void;
  showAll(): void;
  /** `--grid-0` and so on: grid columns of each layout, with the chosen widths. */
  readonly styles: ComputedRef<Record<string, string>>;
}

/** Columns of the table with this name. @param around widths of the tracks before and after the columns */
export function useTableColumns(
  table: string,
  columns: readonly TableColumn[],
  around: () => { readonly before?: string; readonly after?: string } = () => ({}),
): TableColumns {
  const widths = useColumnWidths(table);
  const hidden = useLocalStorage<readonly string[]>(`airdesk.columns.${table}.hidden`, []);
  const isShown = (column: string): boolean =>
    !hidden.value.includes(column) || columns.some((one) => one.column === column && one.isFixed === true);
  const sizes = Math.max(...columns.map((one) => one.sizes.length));
  const styles = computed(() => {
    const { before = '', after = '' } = around();
    const grids = Array.from({ length: sizes }, (_, size): [string, string] => {
      const shown = columns.flatMap(({ column, sizes: columnSizes }) => {
        const width = columnSizes[size] ?? null;
        return width !== null && isShown(column) ? [`var(--w-${column}, ${width})`] : [];
      });
      return [`--grid-${size}`, [before, ...shown, after].filter((one) => one !== '').join(' ')];
    });
    return { ...Object.fromEntries(grids), ...widths.styles.value };
  });
  return {
    widths,
    hidden,
    isShown,
    styles,
    show(column, isShown) {
      const others = hidden.value.filter((one) => one !== column);
      hidden.value = isShown ? others : [...others, column];
    },
    showAll() {
      hidden.value = [];
    },
  };
}
