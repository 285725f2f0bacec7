import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigDirective, ConfigOption } from '../../../src-preload/contract/config-language/syntax.ts';
import type { Setting } from '../schema/directive.ts';
import { Problems, type ConfigPath } from './problem.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import type { Field, Fields } from '../schema/directive.ts';
import { suggest } from '../../lib/suggest.ts';
import { fieldName } from '../schema/record.ts';
import { masked } from '../schema/secrets.ts';
import { flagSchema, type JsonValue } from '../schema/value-schema.ts';

/** Word or option of a directive, with its field. */
export interface FieldToken {
  readonly key: string;
  readonly field: Field<unknown>;
  /** Option; undefined for a word, also for the name alone of a boolean option. */
  readonly option: ConfigOption | undefined;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

/** Reads a directive that defines an object; undefined if its form is wrong, which is reported. */
export function readRecord(
  problems: Problems,
  directive: ConfigDirective,
  entry: Setting<unknown>,
  path: ConfigPath,
): Record<string, unknown> | undefined {
  const fields = entry.fields ?? {};
  const { tokens, unknownTokens } = fieldTokens(directive, fields);
  const [unknown] = unknownTokens;
  if (unknown) {
    // A secret with a space that is written without quotation marks must not be shown either.
    const hasSecret = Object.values(fields).some(({ isSecret }) => isSecret);
    const { value, from, key } = unknown;
    if (key !== undefined)
      problems.error(
        from,
        'config_bad_value',
        [...path, key.slice(0, 80)],
        because('option_unknown_usage', { name: directive.name, option: key.slice(0, 80), usage: entry.usage }),
        { expected: entry.usage, found: key },
      );
    else
      problems.error(
        from,
        'config_bad_value',
        path,
        because('directive_extra_value', { name: directive.name, usage: entry.usage }),
        {
          expected: hasOptions(fields) ? 'key=value or ;' : ';',
          found: masked(value, hasSecret),
        },
      );
    return undefined;
  }
  const raw: Record<string, unknown> = {};
  const seen = new Set<string>();
  for (const { key, field, option, value, from } of tokens) {
    if (option && field.place !== 'pairs') {
      if (seen.has(option.key))
        problems.error(
          from,
          'config_duplicate',
          [...path, option.key],
          because('option_repeated', { option: option.key }),
        );
      // `__proto__` would change the type of the object.
      else if (option.key === '__proto__')
        problems.error(from, 'config_bad_value', [...path, option.key], because('option_reserved'), {
          found: option.key,
        });
      if (seen.has(option.key) || option.key === '__proto__') continue;
      seen.add(option.key);
    }
    if (option) checkOption(problems, directive, fields, { field, option, from }, path);
    if (field.hasEffect?.(value) === false)
      problems.warning(
        from,
        'config_not_effective',
        [...path, fieldName(key, field)],
        option
          ? because('option_no_effect', { option: option.key, name: directive.name })
          : because('directive_value_no_effect', { name: directive.name, value: masked(value, false, field.mask) }),
      );
    put(raw, key, field, option, value);
  }
  const missing = Object.entries(fields).find(([key, field]) => field.isRequired && !Object.hasOwn(raw, key));
  if (!missing) return raw;
  const place = [...path, fieldName(...missing)];
  problems.error(
    directive.nameTo,
    'config_bad_value',
    place,
    because('directive_needs_value', { name: directive.name, usage: entry.usage }),
    {
      expected: entry.usage,
      found: ';',
    },
  );
  return undefined;
}

/** Directive of words and options as JSON; null if it is wrong. */
export function recordJson(entry: Setting<unknown>, directive: ConfigDirective): JsonValue {
  const raw = readRecord(new Problems({ positionAt: () => ({ line: 1, column: 1 }) }), directive, entry, []);
  const { success, data } = entry.schema.safeParse(raw ? [raw] : undefined);
  const [item] = success && Array.isArray(data) ? (data as readonly unknown[]) : [];
  return item === undefined ? null : entry.toJson(item);
}

/** Reports an option without effect; as a mistake if it looks like a misspelling. */
function checkOption(
  problems: Problems,
  directive: ConfigDirective,
  fields: Fields,
  { field, option, from }: Pick<FieldToken, 'field' | 'from'> & { readonly option: ConfigOption },
  path: ConfigPath,
): void {
  const name = option.key.slice(0, 80);
  const address = directive.args[0]?.value ?? '';
  const isKnown = field.known?.includes(option.key) ?? true;
  if (isKnown && field.isRead?.(option.key, address) !== false) return;
  const suggestion = isKnown ? undefined : similarOption(fields, field, option.key);
  const missing = because('option_unknown', { name: directive.name, option: name });
  if (suggestion !== undefined)
    problems.error(
      from,
      'config_bad_value',
      [...path, name],
      because('did_you_mean', { explanation: missing, name: suggestion }),
      { found: name },
    );
  else {
    const scheme = address.split('://', 1)[0] ?? '';
    const explanation = isKnown ? because('option_of_scheme_unknown', { scheme, option: name }) : missing;
    problems.warning(from, 'config_not_effective', [...path, name], because('option_without_effect', { explanation }));
  }
}

/** Name that an unknown option probably stands for; undefined if none is similar. */
export function similarOption(fields: Fields, { known = [] }: Field<unknown>, name: string): string | undefined {
  const named = Object.entries(fields).flatMap(([key, field]) =>
    field.place === 'option' ? [fieldName(key, field)] : [],
  );
  return suggest(name, [...named, ...known]);
}

/** Words and options of a directive with their fields, in the order of the text, and those without a field. */
export function fieldTokens(
  directive: ConfigDirective,
  fields: Fields,
): {
  readonly tokens: readonly FieldToken[];
  readonly unknownTokens: readonly { readonly key?: string; readonly value: string; readonly from: number }[];
} {
  const tokens: FieldToken[] = [];
  const unknownTokens: { key?: string; value: string; from: number }[] = [];
  const open = Object.entries(fields).filter(([, { place }]) => place === 'arg' || place === 'args');
  const takesOptions = hasOptions(fields);
  for (const word of takesOptions ? directive.args : argumentsOf(directive)) {
    const index = open.findIndex(([, { match }]) => !match || match.test(word.value));
    const [found] = index < 0 ? [] : open.slice(index);
    const flag = found ? undefined : flagNamed(fields, word.value);
    if (flag) {
      tokens.push({ key: flag[0], field: flag[1], option: undefined, value: 'true', from: word.from, to: word.to });
      continue;
    }
    if (!found) {
      unknownTokens.push({ value: word.value, from: word.from });
      continue;
    }
    const [key, field] = found;
    if (field.place === 'arg') open.splice(index, 1);
    tokens.push({ key, field, option: undefined, value: word.value, from: word.from, to: word.to });
  }
  if (!takesOptions) return { tokens, unknownTokens };
  for (const option of directive.options) {
    const found = fieldOfOption(fields, option.key);
    if (found)
      tokens.push({ key: found[0], field: found[1], option, value: option.value, from: option.from, to: option.to });
    else unknownTokens.push({ key: option.key, value: option.value, from: option.from });
  }
  return { tokens, unknownTokens };
}

/** Whether a directive with these fields can have options. If not, `a=b` is an ordinary word. */
export function hasOptions(fields: Fields): boolean {
  return Object.values(fields).some(({ place }) => place === 'option' || place === 'others' || place === 'pairs');
}

/** Boolean option with this name: its name alone switches it on. */
function flagNamed(fields: Fields, name: string): readonly [string, Field<unknown>] | undefined {
  return Object.entries(fields).find(
    ([key, field]) => field.place === 'option' && field.value === flagSchema && fieldName(key, field) === name,
  );
}

function fieldOfOption(fields: Fields, name: string): readonly [string, Field<unknown>] | undefined {
  const entries = Object.entries(fields);
  return (
    entries.find(([, field]) => field.place === 'option' && field.name === name) ??
    entries.find(([, { place }]) => place === 'others' || place === 'pairs')
  );
}

function put(
  raw: Record<string, unknown>,
  key: string,
  { place }: Field<unknown>,
  option: ConfigOption | undefined,
  value: string,
): void {
  if (place === 'arg' || place === 'option') {
    raw[key] = value;
  } else if (place === 'others') {
    // Only this function sets values in `raw`, and the place of a field determines their type.
    const options = (raw[key] ??= {}) as Record<string, string>;
    options[option?.key ?? ''] = value;
  } else {
    const items = (raw[key] ??= []) as unknown[];
    items.push(place === 'pairs' ? [option?.key ?? '', value] : value);
  }
}
