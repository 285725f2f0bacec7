import type { ConfigDirective, ConfigWord } from './syntax.ts';

/** All arguments in order, for directives without options: an argument with `=` counts as a word. */
export function argumentsOf(directive: ConfigDirective): readonly Pick<ConfigWord, 'value' | 'from' | 'to'>[] {
  if (directive.options.length === 0) return directive.args;
  const options = directive.options.map(({ key, value, from, to }) => ({ value: `${key}=${value}`, from, to }));
  return [...directive.args, ...options].sort((a, b) => a.from - b.from);
}
