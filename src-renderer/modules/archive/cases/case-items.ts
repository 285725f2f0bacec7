import type { CaseItem, CaseItemBody } from '../../../../src-preload/contract/api/archive/case-object.ts';
import { wholeRange } from '../export/export-request.ts';
import type { Range } from '../time/time-scale.ts';

/** What is put into a case: what it is, of which streams, and what is to be seen. */
export interface CaseChoice {
  readonly kind: CaseItem['kind'];
  readonly names: readonly string[];
  /** Begin of the picture that is shown, in epoch milliseconds. */
  readonly atMs: number;
  /** Begin of the first picture, and end of the last; null where nothing is chosen. */
  readonly range: Range | null;
  readonly frameMs: number;
  readonly text: string;
}

/** The items of a choice, one for each stream. A still lies inside of its picture, whose begin is rounded. */
export function itemBodies({ kind, names, atMs, range, frameMs, text }: CaseChoice): CaseItemBody[] {
  if (kind === 'clip' && range) {
    const { from, duration } = wholeRange(range, frameMs);
    return names.map((name) => ({ kind, name, from, to: from + duration, text }));
  }
  const from = kind === 'still' ? Math.round(atMs + frameMs / 4) : Math.ceil(atMs);
  return names.map((name) => ({ kind, name, from, text }));
}

/** The ids of items after one went a place up or down; the same where there is no such place. */
export function movedIds(items: readonly CaseItem[], id: string, by: 1 | -1): string[] {
  const ids = items.map((item) => item.id);
  const at = ids.indexOf(id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= ids.length) return ids;
  ids.splice(at, 1);
  ids.splice(to, 0, id);
  return ids;
}

/** The ids of items by time; of one moment by stream. */
export function idsByTime(items: readonly CaseItem[]): string[] {
  return [...items].sort((a, b) => a.from - b.from || a.name.localeCompare(b.name)).map(({ id }) => id);
}

/** A name for the folder of a case, with the day. */
export function suggestedFolder(title: string, nowMs: number): string {
  const plain = title.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|-+$/g, '');
  return `${plain === '' ? 'case' : plain.slice(0, 60)}-${new Date(nowMs).toISOString().slice(0, 16).replace(':', '-')}`;
}
