import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import type { BlockName, Setting } from '../schema/directive.ts';
import { DIRECTIVES } from '../schema/directives.ts';
import type { ConfigPath } from './problem.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import { fieldTokens } from './read-record.ts';
import { fieldName } from '../schema/record.ts';
import { masked } from '../schema/secrets.ts';
import { jsonName } from '../schema/table.ts';

/** Place of a value that its schema refused. */
export interface IssueLocation {
  readonly at: number;
  /** The directive, or one of its options, by its name in the text. */
  readonly directive: string;
  readonly path: ConfigPath;
  readonly found: string;
}

/**
 * Finds the place of an issue from its path in the values. Values carry no positions, because positions are needed only for
 * mistakes.
 */
export function locateIssue(
  issuePath: readonly PropertyKey[],
  block: readonly ConfigDirective[],
  blockName: BlockName,
  fallbackAt: number,
): IssueLocation {
  const [key, index = 0] = issuePath;
  let passed = 0;
  for (const directive of block) {
    const known = DIRECTIVES[blockName].get(directive.name);
    if (known?.kind !== 'setting' || known.key !== key) continue;
    const { entry } = known;
    const name = jsonName(entry);
    if (entry.form === 'list') {
      const args = argumentsOf(directive);
      const word = args[Number(index) - passed];
      passed += args.length;
      if (word)
        return {
          at: word.from,
          directive: directive.name,
          path: [name, Number(index)],
          found: masked(word.value, entry.isSecret === true),
        };
    } else if (entry.repeat === 'once')
      return locateIn(
        directive,
        entry,
        issuePath.slice(1),
        entry.form === 'value' || entry.form === 'flag' ? [directive.name] : [name],
      );
    else if (passed++ === index)
      return locateIn(directive, entry, issuePath.slice(2), [
        name,
        entry.repeat === 'keyed' ? (argumentsOf(directive)[0]?.value ?? '').slice(0, 80) : Number(index),
      ]);
  }
  return { at: fallbackAt, directive: String(key), path: [String(key)], found: '' };
}

function locateIn(
  directive: ConfigDirective,
  entry: Setting<unknown>,
  rest: readonly PropertyKey[],
  path: ConfigPath,
): IssueLocation {
  const [first] = argumentsOf(directive);
  const location = {
    at: first?.from ?? directive.from,
    directive: directive.name,
    path,
    found: first ? masked(first.value, entry.isSecret === true) : ';',
  };
  if (entry.form === 'block' && entry.block && rest.length > 0 && rest[0] !== 'name') {
    const inner = locateIssue(rest, directive.block ?? [], entry.block, directive.from);
    return { ...inner, path: [...path, ...inner.path] };
  }
  if (entry.form !== 'record' || !entry.fields) return location;
  const [key, within] = rest;
  const tokens = fieldTokens(directive, entry.fields).tokens.filter((word) => word.key === key);
  const word = tokens.find(({ option }) => option?.key === within) ?? tokens[typeof within === 'number' ? within : 0];
  if (!word) return location;
  const { option, field, value } = word;
  // Options that no field names are stored as values of the record itself.
  const isOption = field.place === 'others' && field.isFlat === true;
  const inside = !isOption ? [fieldName(String(key), field)] : typeof within === 'string' ? [within.slice(0, 80)] : [];
  return {
    at: option?.valueFrom ?? word.from,
    directive: option?.key ?? directive.name,
    path: [...path, ...inside],
    found: masked(value, field.isSecret === true || field.isHiddenIfInvalid === true, field.mask),
  };
}
