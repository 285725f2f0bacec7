import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { isOptionKey, printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import { changeWord, printOptions } from './directive-edit.ts';
import { EditProblem } from './edit-problem.ts';
import { isSameJson, wordOf } from './json-word.ts';
import { withSuggestion, type ConfigPath } from '../parse/problem.ts';
import { fieldTokens, similarOption, type FieldToken } from '../parse/read-record.ts';
import { fieldName } from '../schema/record.ts';
import type { Field, Fields } from '../schema/directive.ts';
import { MASK } from '../schema/secrets.ts';
import { blanksBefore, type TextChange } from './text-change.ts';
import { isObject, type JsonValue } from '../schema/value-schema.ts';

/** Words and options that a directive should have. */
interface NewValue {
  /** Words by the key of their field; undefined for no word. */
  readonly args: ReadonlyMap<string, string | undefined>;
  /** Options by the key of their field; undefined for no option. Options without an entry stay. */
  readonly options: ReadonlyMap<string, string | undefined>;
  /** All options in order, if their keys may repeat. */
  readonly pairs: readonly (readonly [string, string])[] | undefined;
}

export function printRecord(name: string, fields: Fields, json: JsonValue, path: ConfigPath): string {
  const { args, options, pairs } = newValueOf(fields, [], objectOf(fields, json), true, path);
  const values = Object.keys(fields).flatMap((key) => args.get(key) ?? []);
  return `${[name, ...values.map(printWord), ...printOptions([...options, ...(pairs ?? [])])].join(' ')};`;
}

/**
 * Changes a directive to the values in JSON. Only changed words are rewritten.
 * @param isReplacement whether values that JSON does not name are removed; otherwise they stay
 */
export function changeRecord(
  text: string,
  directive: ConfigDirective,
  fields: Fields,
  json: JsonValue,
  isReplacement: boolean,
  path: ConfigPath,
): TextChange[] {
  const { tokens: present } = fieldTokens(directive, fields);
  const { args, options, pairs } = newValueOf(fields, present, objectOf(fields, json), isReplacement, path);
  const changes: TextChange[] = [];
  const left = { args: new Map(args), options: new Map(options) };
  for (const word of present) {
    const { key, option } = word;
    if (option && pairs) continue;
    const isOption = word.field.place !== 'arg' && word.field.place !== 'args';
    const map: Map<string, string | undefined> = isOption ? left.options : left.args;
    const name = option?.key ?? (isOption ? fieldName(key, word.field) : key);
    if (!map.has(name)) continue;
    const value = map.get(name);
    // The name alone of a boolean option has no value that could be replaced.
    if (isOption && !option && value !== undefined && value !== word.value)
      changes.push({ from: word.from, to: word.to, insert: printOptions([[name, value]]).join(' ') });
    else changes.push(...changeWord(text, word, value));
    map.delete(name);
  }
  const added = [...left.args.values()].flatMap((value) => (value === undefined ? [] : [printWord(value)]));
  added.push(...printOptions([...left.options, ...(pairs ?? [])]));
  const end = Math.max(directive.nameTo, ...present.filter(({ option }) => !option || !pairs).map(({ to }) => to));
  // Insertions come before removals at the same place.
  if (added.length > 0) changes.push({ from: end, to: end, insert: ` ${added.join(' ')}` });
  if (pairs)
    for (const { option, from, to } of present)
      if (option) changes.push({ from: blanksBefore(text, from), to, insert: '' });
  return changes;
}

function newValueOf(
  fields: Fields,
  present: readonly FieldToken[],
  json: Readonly<Record<string, JsonValue>>,
  isReplacement: boolean,
  path: ConfigPath,
): NewValue {
  const args = new Map<string, string | undefined>();
  const options = new Map<string, string | undefined>();
  let pairs: NewValue['pairs'];
  for (const [key, field] of Object.entries(fields)) {
    if (field.place === 'pairs') pairs = pairsOf(json['options'], path);
    else if (field.place === 'others') wantOtherOptions(options, fields, field, present, json, isReplacement, path);
    else {
      const name = fieldName(key, field);
      const value = newWord(
        field,
        present.find((word) => word.key === key),
        json[name],
        isReplacement,
        [...path, name],
      );
      if (value === STAYS) continue;
      if (field.place === 'option') options.set(name, value);
      else args.set(key, value);
    }
  }
  const takesAny = Object.values(fields).some(({ isFlat, place }) => isFlat === true || place === 'pairs');
  const unknown = takesAny ? undefined : unknownKeys(fields, json).find((name) => !READ_ONLY.has(name));
  if (unknown !== undefined)
    throw new EditProblem(
      because('key_unknown', { name: unknown.slice(0, 80) }),
      [...path, unknown.slice(0, 80)],
      'config_unknown_directive',
    );
  return { args, options, pairs };
}

/** Marks a value that must not change. */
const STAYS = Symbol('stays');

function newWord(
  field: Field<unknown>,
  before: FieldToken | undefined,
  json: JsonValue | undefined,
  isReplacement: boolean,
  path: ConfigPath,
): string | undefined | typeof STAYS {
  if (json === undefined) return isReplacement && before ? undefined : STAYS;
  if (json === null) return undefined;
  if (before && isUnchanged(field, before.value, json)) return STAYS;
  if (json === MASK) throw new EditProblem(because('mask_of_name_without_secret', { name: String(path.at(-1)) }), path);
  return typeof json === 'number' && field.unit !== undefined ? `${json}${field.unit}` : wordOf(json, path);
}

/** Adds the requested options that belong to no field. If JSON is the complete value, it removes all others. */
function wantOtherOptions(
  options: Map<string, string | undefined>,
  fields: Fields,
  field: Field<unknown>,
  present: readonly FieldToken[],
  json: Readonly<Record<string, JsonValue>>,
  isReplacement: boolean,
  path: ConfigPath,
): void {
  const currentJson = field.isFlat
    ? Object.fromEntries(unknownKeys(fields, json).map((name) => [name, json[name] ?? null]))
    : json[field.name ?? ''];
  const values = isObject(currentJson) ? currentJson : {};
  const before = new Map(
    present.flatMap((word) => (word.field === field && word.option ? [[word.option.key, word.value] as const] : [])),
  );
  for (const [name, value] of Object.entries(values)) {
    const optionPath = [...path, name.slice(0, 80)];
    if (!isOptionKey(name))
      throw new EditProblem(because('option_name_invalid', { option: name.slice(0, 80) }), optionPath);
    if (!before.has(name) && value !== null && field.known?.includes(name) === false)
      throw new EditProblem(
        withSuggestion(because('option_missing', { option: name.slice(0, 80) }), similarOption(fields, field, name)),
        optionPath,
        'config_unknown_directive',
      );
    const old = before.get(name);
    if (old !== undefined && isUnchanged(field, { [name]: old }, { [name]: value })) continue;
    if (value === MASK) throw new EditProblem(because('mask_of_name_without_secret', { name }), optionPath);
    // Several values of one option are written as one word, separated by commas.
    options.set(
      name,
      value === null
        ? undefined
        : Array.isArray(value)
          ? (value as readonly JsonValue[]).map((item) => wordOf(item, optionPath)).join(',')
          : wordOf(value, optionPath),
    );
  }
  if (isReplacement || currentJson === null)
    for (const name of before.keys()) if (!Object.hasOwn(values, name)) options.set(name, undefined);
}

/** Names in JSON that no field has. `$index` and similar keys control the edit and are not counted. */
function unknownKeys(fields: Fields, json: Readonly<Record<string, JsonValue>>): string[] {
  const names = new Set(Object.entries(fields).map(([key, field]) => fieldName(key, field)));
  return Object.keys(json).filter((name) => !names.has(name) && !name.startsWith('$'));
}

/** Keys of replies that are ignored in requests. */
const READ_ONLY: ReadonlySet<string> = new Set(['url_global', 'stats']);

/** Whether JSON equals the text; a mask keeps the existing secret. */
function isUnchanged(
  field: Field<unknown>,
  written: string | Readonly<Record<string, string>>,
  json: JsonValue,
): boolean {
  if (field.isSecret && json === MASK) return true;
  const { success, data } = field.schema.safeParse(written);
  return success && isSameJson(field.toJson(data), json);
}

function pairsOf(json: JsonValue | undefined, path: ConfigPath): (readonly [string, string])[] {
  const list = Array.isArray(json) ? (json as readonly JsonValue[]) : Object.entries(isObject(json) ? json : {});
  return list.map((pair, index) => {
    const [key, value = null] = Array.isArray(pair) ? (pair as readonly JsonValue[]) : [];
    if (typeof key !== 'string' || !isOptionKey(key)) throw new EditProblem(because('pair_expected'), [...path, index]);
    return [key, wordOf(value, [...path, index])];
  });
}

/** Object of a JSON value, which may be only the first word. */
function objectOf(fields: Fields, json: JsonValue): Readonly<Record<string, JsonValue>> {
  const [first] = Object.entries(fields);
  if (first?.[1].place === 'pairs') return { options: json };
  if (isObject(json)) return json;
  return first ? { [fieldName(...first)]: json } : {};
}
