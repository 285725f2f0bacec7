import { useLocalStorage } from '@vueuse/core';
import { computed, type ComputedRef, type Ref } from 'vue';
import type { ArchiveContext } from '../play/archive-context.ts';
import { useArchiveStore } from '../store.ts';
import type { Mark, MarkKind } from '../../../domain/archive/marks.ts';
import { useBreakMarks } from './use-break-marks.ts';

/** Marks as filtered by the operator. */
export interface ShownMarks {
  readonly marks: ComputedRef<readonly Mark[]>;
  /** Hidden kinds; stored on this machine. */
  readonly hidden: Ref<MarkKind[]>;
}

/** Marks of the shown streams, for use inside a component. */
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
