import type { CaseItem, CaseItemBody } from '../../../../src-preload/contract/api/archive/case-object.ts';
import { wholeMilliseconds } from '../export/export-request.ts';
import type { Range } from '../time-scale.ts';

/** Items to add to a case: kind, streams and time. */
export interface CaseChoice {
  readonly kind: CaseItem['kind'];
  readonly names: readonly string[];
  /** Start of the current picture, in epoch milliseconds. */
  readonly atMs: number;
  /** Start of the first picture and end of the last; null without a selection. */
  readonly range: Range | null;
  readonly frameMs: number;
  readonly text: string;
}

/** Builds one item per stream. The time of a still is inside its picture, because the start of a picture is rounded. */
export function itemBodies({ kind, names, atMs, range, frameMs, text }: CaseChoice): CaseItemBody[] {
  if (kind === 'clip' && range) {
    const { from, duration } = wholeMilliseconds(range, frameMs);
    return names.map((name) => ({ kind, name, from, to: from + duration, text }));
  }
  const from = kind === 'still' ? Math.round(atMs + frameMs / 4) : Math.ceil(atMs);
  return names.map((name) => ({ kind, name, from, text }));
}

/** Item ids after a move by one place; unchanged at the ends of the list. */
export function movedIds(items: readonly CaseItem[], id: string, by: 1 | -1): string[] {
  const ids = items.map((item) => item.id);
  const at = ids.indexOf(id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= ids.length) return ids;
  ids.splice(at, 1);
  ids.splice(to, 0, id);
  return ids;
}

/** Item ids in order of time, then of stream. */
export function idsByTime(items: readonly CaseItem[]): string[] {
  return [...items].sort((a, b) => a.from - b.from || a.name.localeCompare(b.name)).map(({ id }) => id);
}

/** Suggested folder name of a case, with the date. */
export function suggestedFolder(title: string, nowMs: number): string {
  const name = title.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|-+$/g, '');
  return `${name === '' ? 'case' : name.slice(0, 60)}-${new Date(nowMs).toISOString().slice(0, 16).replace(':', '-')}`;
}
