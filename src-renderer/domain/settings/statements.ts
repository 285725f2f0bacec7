import type { FormStatement } from '../../../src-preload/contract/config-language/block-form.ts';
import type { DirectiveHelp } from '../../../src-preload/contract/config-language/directive-help.ts';
import type { CallInput } from '../../../src-preload/contract/index.ts';
import type { DirectiveEdit } from '../../../src-preload/contract/operations/config-calls.ts';

/** New words and options of a statement of a block. */
export type StatementEdit = Pick<DirectiveEdit, 'directive' | 'index' | 'words' | 'options'>;

/** Settings of a stream, live prefix or template as the settings dialog reads them. */
export interface Settings {
  /** Statements of the block itself. */
  readonly own: readonly FormStatement[];
  /** Statements of its template. They have no effect if the block contains the same directive. */
  readonly inherited: readonly FormStatement[];
  /** Statements of the top level. */
  readonly file: readonly FormStatement[];
  /** Directives that the block may contain. */
  readonly help: readonly DirectiveHelp[];
}

/** First statement of a directive. */
export function firstOf(statements: readonly FormStatement[], directive: string): FormStatement | undefined {
  return statements.find((one) => one.directive === directive && one.index === 0);
}

/** Statement of the block, or of its template. A statement of the block replaces the whole statement of its template. */
export function statementOf({ own, inherited }: Settings, directive: string): FormStatement | undefined {
  return firstOf(own, directive) ?? firstOf(inherited, directive);
}

/** Value of an option; empty if it is missing. */
export function optionOf(statement: FormStatement | undefined, key: string): string {
  return statement?.options.find(([name]) => name === key)?.[1] ?? '';
}

/** Edit that gives a statement these words and options; without both it is removed. */
export function edit(
  directive: string,
  index: number,
  words: readonly string[],
  options: FormStatement['options'] = [],
): StatementEdit {
  const isEmpty = words.length === 0 && options.length === 0;
  return {
    directive,
    index,
    words: isEmpty ? null : [...words],
    ...(options.length > 0 ? { options: Object.fromEntries(options) } : {}),
  };
}

/** Edit that removes a statement. */
export function removal(directive: string, index = 0): StatementEdit {
  return { directive, index, words: null };
}

/** Returns the options with a new value of one key; an empty value removes the option. */
export function withOption(options: FormStatement['options'], key: string, value: string): FormStatement['options'] {
  if (value === '') return options.filter(([name]) => name !== key);
  return options.some(([name]) => name === key)
    ? options.map(([name, old]) => [name, name === key ? value : old])
    : [...options, [key, value]];
}

/**
 * Applies edits to statements in the same way as the server applies them to the text. The order of new statements may differ
 * from the text.
 */
export function applyEdits(
  statements: readonly FormStatement[],
  edits: readonly StatementEdit[],
  help: readonly DirectiveHelp[],
): readonly FormStatement[] {
  return edits.reduce((before, one) => applyEdit(before, one, help), statements);
}

function applyEdit(
  statements: readonly FormStatement[],
  { directive, index, words, options = {} }: StatementEdit,
  help: readonly DirectiveHelp[],
): readonly FormStatement[] {
  const isTarget = (one: FormStatement): boolean => one.directive === directive && one.index === index;
  if (words === null)
    return statements
      .filter((one) => !isTarget(one))
      .map((one) => (one.directive === directive && one.index > index ? { ...one, index: one.index - 1 } : one));
  const values = { words, options: Object.entries(options) };
  if (statements.some(isTarget)) return statements.map((one) => (isTarget(one) ? { ...one, ...values } : one));
  const count = statements.filter((one) => one.directive === directive).length;
  const known = help.find(({ name }) => name === directive);
  return [...statements, { directive, index: count, help: known, isEditable: true, ...values }];
}

/** Adds edits to earlier ones. A further edit of the statement that was edited last replaces that edit. */
export function mergeEdits(
  before: readonly StatementEdit[],
  added: readonly StatementEdit[],
): readonly StatementEdit[] {
  return added.reduce((edits, one) => {
    const last = edits.at(-1);
    const isSame = last?.words !== null && last?.directive === one.directive && last.index === one.index;
    return [...(isSame ? edits.slice(0, -1) : edits), one];
  }, before);
}

const MS_OF_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Units of times in the configuration. */
export type TimeUnit = 'ms' | 's' | 'd';

/**
 * Converts a time of the configuration to a number in another unit. A text that is no time stays unchanged.
 * @param written unit of a number without one
 */
export function timeIn(text: string, unit: TimeUnit, written: 'ms' | 's'): string {
  const match = /^([0-9]{1,12}(?:\.[0-9]{1,6})?)(ms|s|m|h|d)?$/.exec(text);
  if (!match) return text;
  const ms = Number(match[1]) * (MS_OF_UNIT[match[2] ?? written] ?? 1);
  return String(Number((ms / (MS_OF_UNIT[unit] ?? 1)).toFixed(6)));
}

/** Adds a unit to a number for the configuration. Any other text stays unchanged, so that the server refuses it. */
export function withUnit(value: string, unit: string): string {
  return /^[0-9.]+$/.test(value) ? `${value}${unit}` : value;
}

/** Directive of a new stream. */
export type NewSetting = NonNullable<CallInput<'streams.add'>['settings']>[number];

/** Converts statements to directives of a new stream. */
export function newSettings(statements: readonly FormStatement[]): readonly NewSetting[] {
  return statements.map(({ directive, words, options }) => ({
    directive,
    words: [...words],
    ...(options.length > 0 ? { options: Object.fromEntries(options) } : {}),
  }));
}
