import { useLocalStorage } from '@vueuse/core';
import { computed, type ComputedRef, type Ref } from 'vue';

/** Narrowest and widest column, in root em. */
export const COLUMN_EM = { least: 3, most: 60 } as const;

/** Widths of the columns of a table that the operator has chosen, kept on this machine. */
export interface ColumnWidths {
  /** Root em by column; a column that is not in it is as wide as the table makes it. */
  readonly chosen: Ref<Readonly<Record<string, number>>>;
  /** `--w-COLUMN` for each chosen width, for the template of the table's grid. */
  readonly styles: ComputedRef<Record<string, string>>;
  /** @param widthEm root em; undefined: as the table makes it */
  set(column: string, widthEm: number | undefined): void;
}

/** The widths of one table, by its name. */
export function useColumnWidths(table: string): ColumnWidths {
  const chosen = useLocalStorage<Readonly<Record<string, number>>>(`airdesk.columns.${table}`, {});
  return {
    chosen,
    styles: computed(() =>
      Object.fromEntries(
        Object.entries(chosen.value)
          .filter(([, widthEm]) => widthEm >= COLUMN_EM.least && widthEm <= COLUMN_EM.most)
          // Narrower where the table has no room, so that no column leaves it.
          .map(([column, widthEm]) => [`--w-${column}`, `minmax(${COLUMN_EM.least}rem, ${widthEm}rem)`]),
      ),
    ),
    set(column, widthEm) {
      const others = Object.entries(chosen.value).filter(([other]) => other !== column);
      chosen.value = Object.fromEntries(widthEm === undefined ? others : [...others, [column, widthEm]]);
    },
  };
}
