import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Config } from '../schema/config.ts';
import type { TextBlock } from '../parse/text-block.ts';
import { DIRECTIVES, type KnownDirective } from '../schema/directives.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import type { Draft } from './draft.ts';
import { EditProblem } from './edit-problem.ts';
import { withInheritedTemplate } from './inherited-template.ts';

/** Rule for the blocks that a text may add or replace. */
export interface BlockRule {
  /** Allowed directives; default: all blocks with a name. */
  readonly kinds?: readonly string[];
  /** Raises the reason for which a name is refused. */
  readonly requireName?: (name: string) => void;
}

interface PutBlock {
  readonly known: KnownDirective;
  readonly name: string;
  readonly directive: TextBlock['directives'][number];
  readonly source: string;
}

/**
 * Puts blocks of another text into a draft, in steps: each block replaces the block of its kind and name, or is added. Of several
 * blocks with one name, the last one counts.
 *
 * @param config configuration of the draft
 * @param source parts of the other text
 * @param rule limits the allowed blocks
 */
export function* putBlocks(
  draft: Draft,
  config: Config,
  source: readonly TextBlock[],
  { kinds, requireName }: BlockRule = {},
): Generator<void, void> {
  const blocks = new Map<string, PutBlock>();
  for (const { directive, text } of statementsOf(source)) {
    yield;
    const known = DIRECTIVES.file.get(directive.name);
    const isNamedBlock =
      known?.kind === 'stream-block' ||
      (known?.kind === 'setting' && known.entry.form === 'block' && known.entry.repeat === 'keyed');
    const name = argumentsOf(directive)[0]?.value;
    if (!known || !isNamedBlock || (kinds && !kinds.includes(known.entry.directive))) {
      throw new EditProblem(
        because('block_kind_not_accepted', {
          kinds: (kinds ?? ['stream', 'live', 'template', 'vod', 'dvr']).join(', '),
          name: directive.name.slice(0, 80),
        }),
        [directive.name.slice(0, 80)],
      );
    }
    if (name === undefined)
      throw new EditProblem(
        because('directive_name_and_block', { name: directive.name }),
        [directive.name],
        'config_syntax',
      );
    requireName?.(name);
    blocks.set(`${known.entry.directive} ${name}`, { known, name, directive, source: text });
  }
  for (const { known, name, directive, source: text } of blocks.values()) {
    yield;
    const found = draft.find(known.entry.directive, name);
    if (found)
      draft.change(found, [
        { from: found.directive.from, to: found.directive.to, insert: text.slice(directive.from, directive.to) },
      ]);
    else if (known.entry.directive === 'stream')
      draft.addBlock(known, withInheritedTemplate(config, name, directive, text));
    else draft.addBlock(known, text.slice(directive.from, directive.to));
  }
}

function* statementsOf(
  source: readonly TextBlock[],
): Generator<{ readonly text: string; readonly directive: TextBlock['directives'][number] }> {
  for (const { text, directives } of source) for (const directive of directives) yield { text, directive };
}
