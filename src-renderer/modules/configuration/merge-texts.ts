import { diff } from '@codemirror/merge';

/** Result of a three-way merge. */
export interface MergedText {
  readonly text: string;
  /** Number of conflicts: places that both copies changed in different ways. Each is enclosed in markers. */
  readonly conflicts: number;
}

/** Replaced range of base lines, from 0; the end is exclusive. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Maximum number of edit steps that are searched; the rest of the text counts as one difference. */
const SCAN_LIMIT = 5000;
/** Maximum number of distinct lines: the code units below the surrogates. */
const MAX_LINES = 0xd7ff;

/**
 * Merges two copies of a text line by line (three-way merge). A change of only one copy is taken. Conflicting changes are both kept,
 * between markers that no valid configuration contains.
 */
export function mergeTexts(base: string, mine: string, theirs: string): MergedText {
  const lines = base.split('\n');
  const [ofMine, ofTheirs] = [changesOf(base, mine), changesOf(base, theirs)];
  const merged: string[] = [];
  let conflicts = 0;
  let at = 0;
  while (ofMine.length > 0 || ofTheirs.length > 0) {
    const { from, to, left, right } = takeGroup(ofMine, ofTheirs);
    merged.push(...lines.slice(at, from));
    at = to;
    const [my, their] = [applied(lines, from, to, left), applied(lines, from, to, right)];
    if (right.length === 0 || isSame(my, their)) merged.push(...my);
    else if (left.length === 0) merged.push(...their);
    else {
      conflicts++;
      merged.push('<<<<<<< your text', ...my, '=======', ...their, '>>>>>>> in force now');
    }
  }
  return { text: [...merged, ...lines.slice(at)].join('\n'), conflicts };
}

/** Takes the next overlapping or adjacent changes from both lists, and the base range that they cover. */
function takeGroup(
  mine: Change[],
  theirs: Change[],
): { readonly from: number; readonly to: number; readonly left: Change[]; readonly right: Change[] } {
  const from = Math.min(mine[0]?.from ?? Infinity, theirs[0]?.from ?? Infinity);
  let to = from;
  const left: Change[] = [];
  const right: Change[] = [];
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const [list, taken] of [[mine, left] as const, [theirs, right] as const]) {
      const next = list[0];
      if (!next || next.from > to) continue;
      taken.push(next);
      list.shift();
      to = Math.max(to, next.to);
      isGrowing = true;
    }
  }
  return { from, to, left, right };
}

/** Range of the base after the changes of one copy. */
function applied(lines: readonly string[], from: number, to: number, changes: readonly Change[]): string[] {
  const result: string[] = [];
  let at = from;
  for (const change of changes) {
    result.push(...lines.slice(at, change.from), ...change.lines);
    at = change.to;
  }
  return [...result, ...lines.slice(at, to)];
}

/** Assigns a character to each distinct line, so that lines can be compared as characters. */
class LineCharacters {
  readonly #known = new Map<string, string>();

  /** Undefined if there are more distinct lines than characters. */
  of(lines: readonly string[]): string | undefined {
    let characters = '';
    for (const line of lines) {
      let character = this.#known.get(line);
      if (character === undefined) {
        if (this.#known.size >= MAX_LINES) return undefined;
        character = String.fromCharCode(this.#known.size + 1);
        this.#known.set(line, character);
      }
      characters += character;
    }
    return characters;
  }
}

/** Difference between the base and a copy. */
function changesOf(base: string, copy: string): Change[] {
  if (base === copy) return [];
  const [old, fresh] = [base.split('\n'), copy.split('\n')];
  const characters = new LineCharacters();
  const [a, b] = [characters.of(old), characters.of(fresh)];
  // With too many distinct lines, the texts are compared as a whole.
  if (a === undefined || b === undefined) return [{ from: 0, to: old.length, lines: fresh }];
  return diff(a, b, { scanLimit: SCAN_LIMIT }).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    lines: fresh.slice(fromB, toB),
  }));
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
