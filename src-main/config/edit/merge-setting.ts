import type { ConfigPath } from '../parse/problem.ts';
import type { FreeForm, KnownSetting } from '../schema/directives.ts';
import { settingJson } from '../schema/table.ts';
import type { JsonValue } from '../schema/value-schema.ts';
import { mergeFreeForm } from './free-form-edit.ts';
import { recordsAt } from './json-objects.ts';
import { isSameJson } from './json-word.ts';
import { mergeNamedRecords } from './merge-named-records.ts';
import { mergeRecord, mergeRecords } from './merge-records.ts';
import { mergeValue } from './merge-value.ts';
import { mergeArguments } from './merge-arguments.ts';
import type { Scope } from './scope.ts';

/** Setting into which JSON is merged. */
export interface SettingNow {
  readonly scope: Scope;
  /** Value that replies currently show; undefined if unknown. */
  readonly currentJson: JsonValue | undefined;
  /** Parsed value; undefined if there is none. */
  readonly value: unknown;
  readonly path: ConfigPath;
}

/**
 * Merges JSON into one setting of any form except a block, in steps. Null removes the setting; an equal value changes nothing.
 */
export function* mergeSetting(
  { scope, currentJson, value, path }: SettingNow,
  known: KnownSetting | FreeForm,
  json: JsonValue,
): Generator<void, void> {
  if (isUnchanged(known, json, currentJson, value)) return;
  if (json === null) for (const statement of scope.statements(known)) scope.remove(statement);
  else if (known.kind === 'free-form') mergeFreeForm(scope, known, json, currentJson, path);
  else yield* mergeForm(scope, known, json, currentJson, path);
}

/** Whether JSON equals the current setting. */
export function isUnchanged(
  known: KnownSetting | FreeForm,
  json: JsonValue,
  currentJson: JsonValue | undefined,
  value: unknown,
): boolean {
  if (currentJson !== undefined && isSameJson(currentJson, json)) return true;
  return (
    known.kind === 'setting' &&
    json !== null &&
    value !== undefined &&
    isSameJson(settingJson(known.entry, value), json)
  );
}

function* mergeForm(
  scope: Scope,
  known: KnownSetting,
  json: JsonValue,
  currentJson: JsonValue | undefined,
  path: ConfigPath,
): Generator<void, void> {
  const { form, repeat } = known.entry;
  if (form === 'list') yield* mergeArguments(scope, known, json, path);
  else if (form !== 'record') mergeValue(scope, known, json, path);
  else if (repeat === 'once') mergeRecord(scope, known, scope.statements(known)[0], json, path);
  else if (repeat === 'keyed') mergeNamedRecords(scope, known, json, path);
  else yield* mergeRecords(scope, known, recordsAt(json, path), currentJson, path);
}
