import type { ParsedText } from '../../../src-preload/contract/config-language/parse.ts';
import { DIRECTIVES } from '../schema/directives.ts';
import { wordsOf } from '../parse/directive-words.ts';
import type { Draft } from './draft.ts';
import { addBlockLines } from './edit-config.ts';
import { EditProblem } from './edit-problem.ts';

/**
 * Puts blocks of another text into a draft: each takes the place of the one with its kind and name, or is added.
 *
 * @param source without mistakes of form
 * @param kinds directives that may be put; all blocks with a name where none are given
 * @returns how many blocks were put
 */
export function putBlocks(draft: Draft, source: ParsedText, kinds?: readonly string[]): number {
  for (const directive of source.directives) {
    const known = DIRECTIVES.file.get(directive.name);
    const isNamedBlock =
      known?.kind === 'stream-block' ||
      (known?.kind === 'setting' && known.entry.form === 'block' && known.entry.repeat === 'keyed');
    const name = wordsOf(directive)[0]?.value;
    if (!known || !isNamedBlock || (kinds && !kinds.includes(known.entry.directive))) {
      throw new EditProblem(
        'config_bad_value',
        `Only blocks with a name can be put here (${(kinds ?? ['stream', 'live', 'template', 'vod', 'dvr']).join(', ')}), not ${directive.name.slice(0, 80)}`,
        undefined,
        [directive.name.slice(0, 80)],
      );
    }
    if (name === undefined)
      throw new EditProblem('config_syntax', `${directive.name} takes a name and a block`, undefined, [directive.name]);
    const text = source.text.slice(directive.from, directive.to);
    const found = draft.find(known.entry.directive, name);
    if (found) draft.change(found.piece, [{ from: found.directive.from, to: found.directive.to, insert: text }]);
    else addBlockLines(draft, known, text);
  }
  return source.directives.length;
}
