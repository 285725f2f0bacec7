import { useLocalStorage } from '@vueuse/core';
import { computed, type ComputedRef, type Ref } from 'vue';
import type { ArchiveContext } from '../archive-context.ts';
import { useArchiveStore } from '../store.ts';
import type { Mark, MarkKind } from './marks.ts';
import { useBreakMarks } from './use-break-marks.ts';

/** Marks as the operator wants them. */
export interface ShownMarks {
  readonly marks: ComputedRef<readonly Mark[]>;
  /** Kinds that are not shown: kept on this machine. */
  readonly hidden: Ref<MarkKind[]>;
}

/** The marks of the streams that are shown, inside a component. */
export function useShownMarks(context: ArchiveContext): ShownMarks {
  const archive = useArchiveStore();
  const breaks = useBreakMarks(context);
  const hidden = useLocalStorage<MarkKind[]>('airdesk.archive.hidden', []);
  const marks = computed(() =>
    [...archive.marks, ...breaks.value]
      .filter(({ kind }) => !hidden.value.includes(kind))
      .sort((a, b) => a.from - b.from),
  );
  return { marks, hidden };
}
