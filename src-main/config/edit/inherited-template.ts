import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { findTemplate, type Config } from '../schema/config.ts';
import type { NewDirective } from './directive-edit.ts';
import { EditProblem } from './edit-problem.ts';

/**
 * Directive `template` of an added stream: the live prefix or template for its name. A live prefix or template already applies to this name. Without the directive, its passwords, backends and archives would no
 * longer apply to the added stream.
 *
 * @param config configuration before the edit
 * @returns an empty list if no prefix matches the name
 */
export function inheritedTemplate(config: Config, stream: string): readonly NewDirective[] {
  const found = findTemplate(config, stream);
  if (!found) return [];
  const { name } = found;
  // The directive `template` of a stream prefers a template to a live prefix of the same name.
  if (config.livePrefixes.get(name) === found && config.templates.has(name))
    throw new EditProblem(because('live_and_template', { stream: stream.slice(0, 200), name }), [
      'streams',
      stream.slice(0, 200),
      'template',
    ]);
  return [{ name: 'template', args: [name] }];
}

/**
 * Text of a stream block with the `template` directive for its name; unchanged if it names a template itself.
 *
 * @param source text that `directive` was parsed from
 */
export function withInheritedTemplate(
  config: Config,
  stream: string,
  directive: ConfigDirective,
  source: string,
): string {
  const text = source.slice(directive.from, directive.to);
  if (!directive.block || directive.block.some(({ name }) => name === 'template')) return text;
  const [inherited] = inheritedTemplate(config, stream);
  if (!inherited) return text;
  const statement = `template ${(inherited.args ?? []).map(printWord).join(' ')};`;
  const end = directive.blockTo - 1 - directive.from;
  // A comment may end the line before the brace.
  return `${text.slice(0, end).trimEnd()}\n  ${statement}\n${text.slice(end)}`;
}
