import type { FormatProblem, LeftOutTrack } from '../../media/access-unit.ts';

/** Tracks that cannot be played, by the problems of a container. */
export function leftOutOf({ problems }: { readonly problems: readonly FormatProblem[] }): LeftOutTrack[] {
  return problems.flatMap(({ leftOut = [] }) => leftOut);
}
