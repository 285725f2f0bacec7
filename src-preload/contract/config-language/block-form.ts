import type { DirectiveHelp } from './directive-help.ts';
import { argumentsOf } from './directive-arguments.ts';
import type { ConfigDirective } from './syntax.ts';

/** Statement of a block, as a form shows it. */
export interface FormStatement {
  /** Canonical name of the directive, not an alias. */
  readonly directive: string;
  /** Index among the statements of this directive, from 0. */
  readonly index: number;
  readonly words: readonly string[];
  readonly options: readonly (readonly [key: string, value: string])[];
  /** Help for the directive; undefined if the block does not know it. */
  readonly help: DirectiveHelp | undefined;
  /** Whether a form can write the statement: it has no block, and no option occurs twice. */
  readonly isEditable: boolean;
}

/** Directives of a block or of the top level as statements of a form. */
export function statementsOf(directives: readonly ConfigDirective[], help: readonly DirectiveHelp[]): FormStatement[] {
  const counts = new Map<string, number>();
  return directives.map((statement) => {
    const known = help.find(({ name, aliases }) => name === statement.name || aliases.includes(statement.name));
    const directive = known?.name ?? statement.name;
    const index = counts.get(directive) ?? 0;
    counts.set(directive, index + 1);
    return { directive, index, help: known, ...valuesOf(statement, known) };
  });
}

function valuesOf(
  statement: ConfigDirective,
  known: DirectiveHelp | undefined,
): Pick<FormStatement, 'words' | 'options' | 'isEditable'> {
  const takesOptions = known?.takes_options === true;
  const options = takesOptions ? statement.options : [];
  const isUnique = new Set(options.map(({ key }) => key)).size === options.length;
  return {
    // In a directive without options, `key=value` is a word.
    words: (takesOptions ? statement.args : argumentsOf(statement)).map(({ value }) => value),
    options: options.map(({ key, value }) => [key, value]),
    isEditable: known !== undefined && statement.block === undefined && isUnique,
  };
}
