import { useLocalStorage } from '@vueuse/core';
import { computed, type ComputedRef, type Ref } from 'vue';

/** Minimum and maximum width of a column, in root em. */
export const COLUMN_EM = { min: 3, max: 60 } as const;

/** Column widths that the operator chose; stored on this machine. */
export interface ColumnWidths {
  /** Root em by column; a missing column has its default width. */
  readonly chosen: Ref<Readonly<Record<string, number>>>;
  /** `--w-COLUMN` for each chosen width, for the grid template of the table. */
  readonly styles: ComputedRef<Record<string, string>>;
  /** @param widthEm root em; undefined restores the default */
  set(column: string, widthEm: number | undefined): void;
}

/** Column widths of the table with this name. */
export function useColumnWidths(table: string): ColumnWidths {
  const chosen = useLocalStorage<Readonly<Record<string, number>>>(`airdesk.columns.${table}`, {});
  return {
    chosen,
    styles: computed(() =>
      Object.fromEntries(
        Object.entries(chosen.value)
          .filter(([, widthEm]) => widthEm >= COLUMN_EM.min && widthEm <= COLUMN_EM.max)
          // Columns shrink if the table has no room, so that none leaves it.
          .map(([column, widthEm]) => [`--w-${column}`, `minmax(${COLUMN_EM.min}rem, ${widthEm}rem)`]),
      ),
    ),
    set(column, widthEm) {
      const others = Object.entries(chosen.value).filter(([other]) => other !== column);
      chosen.value = Object.fromEntries(widthEm === undefined ? others : [...others, [column, widthEm]]);
    },
  };
}
