import type { DirectiveHelp } from '../../src-preload/contract/config-language/directive-help.ts';
import { hasOptions } from './parse/read-record.ts';
import { fieldName } from './schema/record.ts';
import { BLOCK_NAMES, DIRECTIVES, type KnownDirective } from './schema/directives.ts';
import { choicesOf } from './schema/value-schema.ts';

export function directiveHelp(): Record<string, DirectiveHelp[]> {
  return Object.fromEntries(BLOCK_NAMES.map((block) => [block, directivesOf(block).map(helpOf)]));
}

function directivesOf(block: (typeof BLOCK_NAMES)[number]): KnownDirective[] {
  return [...new Set(DIRECTIVES[block].values())];
}

/**
 * Code of the description of a directive: its name, preceded by the block if directives of this name have different
 * descriptions.
 */
function docCodeOf({ directive, doc }: KnownDirective['entry']): string {
  const named = BLOCK_NAMES.flatMap((block) =>
    directivesOf(block).flatMap(({ entry }) => (entry.directive === directive ? [{ block, doc: entry.doc }] : [])),
  );
  if (named.every((other) => other.doc === doc)) return directive;
  return `${named.find((other) => other.doc === doc)?.block ?? ''}.${directive}`;
}

function helpOf(known: KnownDirective): DirectiveHelp {
  const { directive, aliases = [], usage, doc, example, default: fallback = null, unit = null } = known.entry;
  const help = {
    name: directive,
    aliases: [...aliases],
    usage,
    doc,
    doc_code: docCodeOf(known.entry),
    example,
    default: fallback,
    unit,
  };
  if (known.kind !== 'setting')
    return {
      ...help,
      form: known.kind === 'free-form' ? 'free' : 'block',
      is_repeated: true,
      restarts: known.kind === 'stream-block',
      is_secret: false,
      is_reserved: known.kind === 'free-form',
      choices: [],
      takes_options: known.kind === 'free-form',
      options: [],
      block: known.kind === 'stream-block' ? directive : null,
    };
  const { form, repeat, change, isSecret = false, isReserved = false, schema, fields = {}, block } = known.entry;
  return {
    ...help,
    form,
    is_repeated: repeat !== 'once',
    restarts: change === 'restart',
    is_secret: isSecret,
    is_reserved: isReserved,
    choices: [...choicesOf(schema)],
    takes_options: hasOptions(fields),
    options: Object.entries(fields).flatMap(([key, field]) =>
      field.place === 'option' ? [{ name: fieldName(key, field), choices: [...choicesOf(field.schema)] }] : [],
    ),
    block: block ?? null,
  };
}
