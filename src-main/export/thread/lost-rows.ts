import type { ExportedGap } from './export-request.ts';
import type { ArchiveRow } from './archive-rows.ts';
import { ExportFailure } from './export-task.ts';
import { MAX_GAPS, type PlannedFile } from './file-plan.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** Rows of a file with missing or damaged media: each becomes a gap. Only a file without any media fails. */
export class LostRows {
  readonly #file: Pick<PlannedFile, 'fromMs' | 'gaps' | 'gapCount'>;
  readonly #gaps: ExportedGap[] = [];
  #count = 0;
  #written = 0;
  #isLast = false;

  constructor(file: Pick<PlannedFile, 'fromMs' | 'gaps' | 'gapCount'>) {
    this.#file = file;
  }

  /** Adds the next row. @returns whether the previous row is lost */
  add({ startMs, endMs }: Pick<ArchiveRow, 'startMs' | 'endMs'>, isWritten: boolean): boolean {
    const wasLost = this.#isLast;
    this.#isLast = !isWritten;
    if (isWritten) {
      this.#written++;
      return wasLost;
    }
    const last = this.#gaps.at(-1);
    if (!wasLost) this.#count++;
    const atMs = startMs - this.#file.fromMs;
    if (wasLost && last) this.#gaps.splice(-1, 1, { ...last, durationMs: atMs + endMs - startMs - last.atMs });
    else if (this.#gaps.length < MAX_GAPS) this.#gaps.push({ atMs, durationMs: endMs - startMs });
    return wasLost;
  }

  /** Throws `media_unreadable` if no row could be written. */
  check(): void {
    if (this.#written === 0) throw new ExportFailure('media_unreadable', because('range_unreadable'));
  }

  /** Gaps of the file in order, including its lost rows. */
  gaps(): Pick<PlannedFile, 'gaps' | 'gapCount'> {
    const { gaps, gapCount } = this.#file;
    const all = [...gaps, ...this.#gaps].sort((a, b) => a.atMs - b.atMs);
    return { gaps: all.slice(0, MAX_GAPS), gapCount: gapCount + this.#count };
  }
}
