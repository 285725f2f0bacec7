import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigPath } from '../parse/problem.ts';
import { MASK } from '../schema/secrets.ts';
import type { KnownSetting } from '../schema/directives.ts';
import type { JsonValue } from '../schema/value-schema.ts';
import { align, type Alignment } from './align.ts';
import { stableJson } from './json-word.ts';
import { EditProblem } from './edit-problem.ts';

/**
 * Refuses a shorter or longer list if a mask could stand for several secrets, because identical items are identified only by
 * their position.
 * @param before items as shown, as JSON text
 * @param after items as requested, as JSON text
 */
function refuseGuesses(before: readonly string[], after: readonly string[], path: ConfigPath): void {
  if (before.length === after.length) return;
  const left = new Map<string, number>();
  for (const item of before) if (item.includes(MASK)) left.set(item, (left.get(item) ?? 0) + 1);
  const alike = new Set([...left].flatMap(([item, count]) => (count > 1 ? [item] : [])));
  for (const item of after) left.set(item, (left.get(item) ?? 0) - 1);
  const isGuess = after.some((item) => alike.has(item) && (left.get(item) ?? 0) > 0);
  if (isGuess) throw new EditProblem(because('masks_ambiguous'), path);
}

/** Aligns two lists like `align`; raises `config_bad_value` if masks are ambiguous. */
export function alignMasked(before: readonly string[], after: readonly string[], path: ConfigPath): Alignment[] {
  refuseGuesses(before, after, path);
  return align(before, after);
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
