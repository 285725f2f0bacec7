import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import type { ConfigPath } from '../parse/problem.ts';
import type { KnownSetting } from '../schema/directives.ts';
import type { JsonValue } from '../schema/value-schema.ts';
import type { StatementRef } from './draft.ts';
import { namedItems, objectAt } from './json-objects.ts';
import { mergeRecord } from './merge-records.ts';
import type { Scope } from './scope.ts';

/** Sets the records that JSON identifies by their first word. All other records stay. */
export function mergeNamedRecords(scope: Scope, known: KnownSetting, json: JsonValue, path: ConfigPath): void {
  const present = new Map<string | undefined, StatementRef>();
  for (const statement of scope.statements(known).toReversed())
    present.set(argumentsOf(statement.directive)[0]?.value, statement);
  for (const [name, value] of Object.entries(namedItems(json, path))) {
    const statement = present.get(name);
    if (value !== null)
      mergeRecord(scope, known, statement, { ...objectAt(value, [...path, name]), name }, [...path, name]);
    else if (statement) scope.remove(statement);
  }
}
