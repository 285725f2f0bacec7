import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigPath } from '../parse/problem.ts';
import { MASK } from '../schema/secrets.ts';
import type { KnownSetting } from '../schema/directives.ts';
import type { JsonValue } from '../schema/value-schema.ts';
import { align, type Alignment } from './align.ts';
import { stableJson } from './json-word.ts';
import { EditProblem } from './edit-problem.ts';

/**
 * Aligns a list with its edited copy, in which masks replace secrets. Identical items are identified only by their position.
 * @param before items as shown, as JSON text
 * @param after items as requested, as JSON text
 * @returns undefined if a mask could stand for several secrets
 */
function tryAlign(before: readonly string[], after: readonly string[]): Alignment[] | undefined {
  if (isChangedInPlace(before, after)) return after.map((_, index) => ({ from: index, to: index }));
  const left = new Map<string, number>();
  for (const item of before) if (item.includes(MASK)) left.set(item, (left.get(item) ?? 0) + 1);
  const alike = [...left].flatMap(([item, count]) => (count > 1 ? [item] : []));
  const isNew = after.some((item) => item.includes(MASK) && !left.has(item));
  const kept = new Set(after);
  for (const item of after) left.set(item, (left.get(item) ?? 0) - 1);
  const isGuess = alike.some((item) => (left.get(item) ?? 0) > 0 && (isNew || kept.has(item)));
  return isGuess ? undefined : align(before, after);
}

/** Whether every item is at its index, or was replaced there. */
function isChangedInPlace(before: readonly string[], after: readonly string[]): boolean {
  if (before.length !== after.length) return false;
  const known = new Set(before);
  return after.every((item, index) => item === before[index] || !known.has(item));
}

/** Aligns two lists like `align`; raises `config_bad_value` if masks are ambiguous. */
export function alignMasked(before: readonly string[], after: readonly string[], path: ConfigPath): Alignment[] {
  const steps = tryAlign(before, after);
  if (!steps) throw new EditProblem(because('masks_ambiguous'), path);
  return steps;
}

/**
 * Finds the earlier item of each item of an edited list.
 * @param before items with their secrets, and as shown
 * @param after items, with masks or with secrets
 * @returns indexes in `before`, undefined for new items; undefined if a mask could stand for several secrets
 */
export function pairMasked(
  before: readonly { readonly plain: string; readonly shown: string }[],
  after: readonly string[],
): (number | undefined)[] | undefined {
  const pairs = new Map<number, number>();
  const used = new Set<number>();
  const pair = (to: number, from: number | undefined): void => {
    if (from === undefined || pairs.has(to) || used.has(from)) return;
    pairs.set(to, from);
    used.add(from);
  };
  // Items with their secrets are identified by them.
  const secrets = indexesOf(before.map((item) => item.plain));
  for (const [to, item] of after.entries()) pair(to, secrets.get(item)?.shift());
  const rest = [...before.keys()].filter((index) => !used.has(index));
  const restAfter = [...after.keys()].filter((index) => !pairs.has(index));
  const shown = rest.map((index) => before[index]?.shown ?? '');
  const requested = restAfter.map((index) => after[index] ?? '');
  const steps = tryAlign(shown, requested);
  if (!steps) return undefined;
  if (!isChangedInPlace(shown, requested)) {
    // Items keep their secrets when they are moved.
    const earlier = indexesOf(shown);
    for (const [item, places] of indexesOf(requested)) {
      const known = earlier.get(item) ?? [];
      if (known.length === places.length)
        for (const [count, to] of places.entries()) pair(restAfter[to] ?? 0, rest[known[count] ?? 0]);
    }
  }
  for (const { from, to } of steps) if (from !== undefined && to !== undefined) pair(restAfter[to] ?? 0, rest[from]);
  return after.map((_, to) => pairs.get(to));
}

function indexesOf(items: readonly string[]): Map<string, number[]> {
  return Map.groupBy(items.keys(), (index) => items[index] ?? '');
}

/** Whether a JSON value is the mask. */
export function isMask(json: JsonValue): boolean {
  return json === MASK;
}

/** Item of a list as JSON text, for comparison. An invalid word equals only itself. */
export function printedItem(entry: KnownSetting['entry'], word: string): string {
  if (entry.isSecret) return stableJson(MASK);
  const { success, data } = entry.schema.safeParse([word]);
  const [item] = success && Array.isArray(data) ? (data as readonly unknown[]) : [];
  return stableJson(item === undefined ? word : entry.toJson(item));
}
