import type { ConfigDirective, ConfigOption } from '../../../src-preload/contract/config-language/syntax.ts';
import { printOptionValue, printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import { blanksBefore, indentAt, lineBreakOf, lineEnd, type TextChange } from './text-change.ts';

/** Statement to be written. Values are quoted if necessary and may contain any character. */
export interface NewDirective {
  readonly name: string;
  readonly args?: readonly string[];
  readonly options?: Readonly<Record<string, string>>;
}

/** Statement in the syntax of the configuration. */
export function printDirective({ name, args = [], options = {} }: NewDirective): string {
  return `${[name, ...args.map(printWord), ...printOptions(Object.entries(options))].join(' ')};`;
}

/** Options with a value, as text. */
export function printOptions(options: Iterable<readonly [key: string, value: string | undefined]>): string[] {
  return [...options].flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${printOptionValue(value)}`]));
}

/** Gives a word or an option another value; undefined removes it. */
export function changeWord(
  text: string,
  {
    option,
    value,
    from,
    to,
  }: Pick<ConfigOption, 'value' | 'from' | 'to'> & { readonly option?: ConfigOption | undefined },
  word: string | undefined,
): TextChange[] {
  if (word === value) return [];
  if (word === undefined) return [{ from: blanksBefore(text, from), to, insert: '' }];
  return [
    option ? { from: option.valueFrom, to, insert: printOptionValue(word) } : { from, to, insert: printWord(word) },
  ];
}

/** Gives a statement other values. Only changed values are rewritten, so that spacing and comments between them stay. */
export function changeValues(
  text: string,
  directive: ConfigDirective,
  { args = [], options = {} }: NewDirective,
  hasOptions: boolean,
): TextChange[] {
  const writtenArgs = hasOptions ? directive.args : argumentsOf(directive);
  const written = hasOptions ? directive.options : [];
  const changes = writtenArgs.flatMap((word, index) => changeWord(text, word, args[index]));
  const left = new Map(Object.entries(options));
  for (const option of written) {
    changes.push(...changeWord(text, { ...option, option }, left.get(option.key)));
    left.delete(option.key);
  }
  const added = [...args.slice(writtenArgs.length).map(printWord), ...printOptions(left)];
  const end = Math.max(directive.nameTo, writtenArgs.at(-1)?.to ?? 0, written.at(-1)?.to ?? 0);
  if (added.length > 0) changes.push({ from: end, to: end, insert: ` ${added.join(' ')}` });
  return changes;
}

/**
 * Inserts statements into the block of another.
 * @param after statement before the new ones; undefined: at the start
 * @param next statement after `after`
 * @param unit indentation of blocks if this one shows none
 */
export function insertIntoBlock(
  text: string,
  owner: ConfigDirective,
  statements: readonly string[],
  {
    after,
    next: follower,
  }: { readonly after?: ConfigDirective | undefined; readonly next?: ConfigDirective | undefined },
  unit: string,
): TextChange {
  if (!owner.block) return { from: owner.to - 1, to: owner.to, insert: ` { ${statements.join(' ')} }` };
  const close = owner.blockTo - 1;
  const insertAt = after?.to ?? owner.blockFrom + 1;
  const next = follower?.from ?? close;
  const end = lineEnd(text, insertAt, next);
  if (next > end) {
    const indent = after
      ? indentAt(text, after.from)
      : indentAt(text, owner.from) + (indentUnit(text, [owner]) ?? unit);
    const lead = lineBreakOf(text) + indent;
    return { from: end, to: end, insert: statements.map((statement) => lead + statement).join('') };
  }
  // No comment can be between `after` and `next`, because it would hide `next`.
  const needsBlank = after === undefined && next === insertAt;
  return { from: insertAt, to: insertAt, insert: ` ${statements.join(' ')}${needsBlank ? ' ' : ''}` };
}

/** Indentation of a text's blocks, from the first statement in a block on a line of its own; undefined if there is none. */
export function indentUnit(text: string, directives: readonly ConfigDirective[]): string | undefined {
  for (const { from, block } of directives) {
    const first = block?.[0];
    if (!first || lineEnd(text, from, first.from) === first.from) continue;
    const outer = indentAt(text, from);
    const inner = indentAt(text, first.from);
    if (inner.length > outer.length && inner.startsWith(outer)) return inner.slice(outer.length);
  }
  return undefined;
}
