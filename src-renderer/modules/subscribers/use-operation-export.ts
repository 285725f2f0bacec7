import { ref, type Ref } from 'vue';
import { CSV_HEAD, csvLine } from './operation-csv.ts';
import type { OperationRange } from './operation-filter.ts';
import { useCall } from '../../server/use-call.ts';

/** Most operations of a file: more do not fit the memory of a browser well. */
export const EXPORT_LIMIT = 100_000;

/** An export as it goes on. */
export interface OperationExport {
  /** Operations that are there so far; undefined while nothing is exported. */
  readonly count: Ref<number | undefined>;
  /** Whether the file that was made ends before the operations do. */
  readonly isCut: Ref<boolean>;
  run(portalId: string, range: OperationRange): Promise<void>;
  cancel(): void;
}

/** Writes the operations that a filter lets through to a file of this machine. */
export function useOperationExport(): OperationExport {
  const call = useCall();
  const count = ref<number>();
  const isCut = ref(false);
  let number = 0;
  return {
    count,
    isCut,
    async run(portalId, range) {
      const run = ++number;
      const lines = [CSV_HEAD];
      count.value = 0;
      isCut.value = false;
      for (let afterId: string | undefined; ;) {
        const page = await call('subscribers.operations', { portalId, ...range, ...(afterId ? { afterId } : {}) });
        if (run !== number) return;
        if (!page) break;
        lines.push(...page.operations.map(csvLine));
        count.value = lines.length - 1;
        afterId = page.operations.at(-1)?.operationId;
        isCut.value = page.isMore && count.value >= EXPORT_LIMIT;
        if (page.isMore && !isCut.value) continue;
        save(new Blob(lines, { type: 'text/csv' }), 'operations.csv');
        break;
      }
      count.value = undefined;
    },
    cancel() {
      number++;
      count.value = undefined;
    },
  };
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download has begun when the next turn comes.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
