import { printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import { mapInSteps } from '../../lib/turns.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import type { ConfigPath } from '../parse/problem.ts';
import type { KnownSetting } from '../schema/directives.ts';
import type { JsonValue } from '../schema/value-schema.ts';
import { printDirective } from './directive-edit.ts';
import type { StatementRef } from './draft.ts';
import { stableJson, wordOf } from './json-word.ts';
import { alignMasked, isMask, printedItem } from './masked-items.ts';
import type { Scope } from './scope.ts';
import { blanksBefore, type TextChange } from './text-change.ts';

/** Number of arguments between two checks of the time. */
const ARGUMENTS_PER_STEP = 50;

/** Sets the arguments of a list, which may be in several statements; in steps. */
export function* mergeArguments(
  scope: Scope,
  known: KnownSetting,
  json: JsonValue,
  path: ConfigPath,
): Generator<void, void> {
  // A mask alone keeps the complete list unchanged.
  if (isMask(json) && known.entry.isSecret && scope.statements(known).length > 0) return;
  const items = Array.isArray(json) ? (json as readonly JsonValue[]) : [json];
  const { toWord = (item: JsonValue): JsonValue => item } = known.entry;
  const args = yield* mapInSteps(items, (item, index) => wordOf(toWord(item), [...path, index]));
  const words = yield* mapInSteps(args, printWord);
  const statements = scope.statements(known);
  const present = statements.flatMap((statement) =>
    argumentsOf(statement.directive).map((word) => ({ ...word, statement })),
  );
  const [first] = present;
  if (!first) {
    for (const statement of statements) scope.remove(statement);
    if (args.length > 0) scope.insert(printDirective({ name: known.entry.directive, args }));
    return;
  }
  const before = yield* mapInSteps(present, ({ value }) => printedItem(known.entry, value));
  const after = yield* mapInSteps(items, stableJson);
  const left = new Map(statements.map((statement) => [statement, 0]));
  const changes = new Map<StatementRef, TextChange[]>(statements.map((statement) => [statement, []]));
  // New words are inserted after the word before them, or before the first word.
  let stays: (typeof present)[number] | undefined;
  for (const [count, { from, to }] of alignMasked(before, after, path).entries()) {
    if (count % ARGUMENTS_PER_STEP === 0) yield;
    const insert = to === undefined ? undefined : (words[to] ?? '');
    const word = from === undefined ? undefined : present[from];
    if (word) {
      const own = changes.get(word.statement);
      if (insert === undefined)
        own?.push({ from: blanksBefore(word.statement.text, word.from), to: word.to, insert: '' });
      else {
        if (before[from ?? 0] !== after[to ?? 0]) own?.push({ from: word.from, to: word.to, insert });
        left.set(word.statement, (left.get(word.statement) ?? 0) + 1);
        stays = word;
      }
    } else if (stays) changes.get(stays.statement)?.push({ from: stays.to, to: stays.to, insert: ` ${insert ?? ''}` });
    else changes.get(first.statement)?.push({ from: first.from, to: first.from, insert: `${insert ?? ''} ` });
  }
  for (const statement of statements) {
    if (left.get(statement) === 0) scope.remove(statement);
    else scope.change(statement, changes.get(statement) ?? []);
  }
}
