import type { ConfigDirective } from '../../src-preload/contract/config-language/syntax.ts';
import type { BlockName } from './directive.ts';
import { DIRECTIVES } from './directives.ts';
import { INPUT_OPTION_KEYS } from './input-setting.ts';
import type { ConfigPath } from './problem.ts';
import { wordsOf } from './read-block.ts';

/** Where a value stands that its schema refused. */
export interface IssuePlace {
  readonly at: number;
  /** The directive, or the option of an input, by its name in the text. */
  readonly directive: string;
  readonly path: ConfigPath;
  readonly found: string;
}

/** Finds the place of an issue again from its path in the values: places are needed only for mistakes, so they are not carried along. */
export function locateIssue(issuePath: readonly PropertyKey[], block: readonly ConfigDirective[], blockName: BlockName, fallbackAt: number): IssuePlace {
  const [key, index = 0, field] = issuePath;
  let passed = 0;
  for (const directive of block) {
    const known = DIRECTIVES[blockName].get(directive.name);
    if (known?.kind !== 'setting' || known.key !== key) continue;
    if (known.entry.form === 'input') {
      if (passed++ === index) return locateInput(directive, [known.key, index], field);
      continue;
    }
    const words = wordsOf(directive);
    const word = known.entry.form === 'list' ? words[Number(index) - passed] : words[0];
    passed += words.length;
    if (known.entry.form === 'list' && !word) continue;
    const path = known.entry.form === 'list' ? [known.key, Number(index)] : [directive.name];
    return { at: word?.from ?? directive.from, directive: directive.name, path, found: word?.value ?? ';' };
  }
  return { at: fallbackAt, directive: String(key), path: [String(key)], found: '' };
}

function locateInput(directive: ConfigDirective, path: readonly (string | number)[], field: PropertyKey | undefined): IssuePlace {
  for (const option of directive.options) {
    if (INPUT_OPTION_KEYS.get(option.key) === field) return { at: option.valueFrom, directive: option.key, path: [...path, option.key], found: option.value };
  }
  const [url] = directive.args;
  return { at: url?.from ?? directive.from, directive: directive.name, path: [...path, 'url'], found: url?.value ?? ';' };
}
