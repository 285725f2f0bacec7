import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigPath } from '../parse/problem.ts';
import type { KnownSetting } from '../schema/directives.ts';
import { MASK } from '../schema/secrets.ts';
import type { JsonValue } from '../schema/value-schema.ts';
import { changeValues, printDirective } from './directive-edit.ts';
import { takesOptions } from './edit-config.ts';
import { EditProblem } from './edit-problem.ts';
import { wordOf } from './json-word.ts';
import type { Scope } from './scope.ts';

/** Sets a directive of one word. The mask leaves a secret unchanged. */
export function mergeValue(scope: Scope, known: KnownSetting, json: JsonValue, path: ConfigPath): void {
  const [statement] = scope.statements(known);
  if (json === MASK && known.entry.isSecret) {
    if (statement) return;
    throw new EditProblem(because('mask_of_name_without_secret', { name: known.entry.directive }), path);
  }
  if (Array.isArray(json)) throw new EditProblem(because('one_value_expected'), path);
  const directive = { name: known.entry.directive, args: [wordOf(json, path)] };
  if (statement)
    scope.change(statement, changeValues(statement.text, statement.directive, directive, takesOptions(known)));
  else scope.insert(printDirective(directive));
}
