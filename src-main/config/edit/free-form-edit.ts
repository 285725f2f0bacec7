import { isOptionKey, printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import type { KnownDirective } from '../schema/directives.ts';
import { wordOf } from './json-word.ts';
import type { ConfigPath } from '../parse/problem.ts';
import type { Scope } from './scope.ts';
import { isObject, type JsonValue } from '../schema/value-schema.ts';

/**
 * Sets a directive that is kept as written. Its block is rewritten, because other programs define its content.
 * @param currentJson value that replies currently show
 */
export function mergeFreeForm(
  scope: Scope,
  known: KnownDirective,
  json: JsonValue,
  currentJson: JsonValue | undefined,
  path: ConfigPath,
): void {
  const [first, ...others] = scope.statements(known);
  for (const statement of others) scope.remove(statement);
  const statement = printFreeForm(known.entry.directive, mergePatch(currentJson ?? null, json), path);
  if (first) scope.change(first, [{ from: first.directive.from, to: first.directive.to, insert: statement }]);
  else scope.insert(statement);
}

/** Merges a patch as RFC 7386 defines it. */
function mergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const result: Record<string, JsonValue> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key] ?? null, value);
  }
  return result;
}

function printFreeForm(name: string, json: JsonValue, path: ConfigPath): string {
  if (!isObject(json)) {
    const args = Array.isArray(json) ? (json as readonly JsonValue[]) : [json];
    return `${[name, ...args.map((word, index) => printWord(wordOf(word, [...path, index])))].join(' ')};`;
  }
  const inner = Object.entries(json).map(([key, value]) =>
    printFreeForm(isOptionKey(key) ? key : printWord(key), value, [...path, key]),
  );
  return inner.length > 0 ? `${name} { ${inner.join(' ')} }` : `${name} { }`;
}
