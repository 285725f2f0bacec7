import type { ArchivedSplice } from '../../../../src-preload/contract/operations/archive-calls.ts';
import { TEXTS } from '../texts.ts';
import type { Mark } from '../../../domain/archive/marks.ts';

/** Converts splice points into marks: a break lasts until its announced end, or until an earlier end mark. */
export function breakMarks(splices: readonly ArchivedSplice[]): Mark[] {
  return splices.map(({ name, kind, at, duration }) => {
    const endMs = duration === null || duration <= 0 ? undefined : at + duration;
    const isEnd = (other: ArchivedSplice): boolean =>
      other.name === name && other.kind === 'in' && other.at > at && other.at < (endMs ?? 0);
    const ends = splices.filter(isEnd).map((other) => other.at);
    return {
      kind: 'break',
      id: `break ${name} ${kind} ${at}`,
      name,
      from: at,
      to: endMs === undefined ? null : Math.min(endMs, ...ends),
      text: kind === 'out' ? TEXTS.breakStart : kind === 'in' ? TEXTS.breakEnd : TEXTS.splicePoint(kind),
    };
  });
}
