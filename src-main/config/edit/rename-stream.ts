import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import { formExpectedBy, nameSchema } from '../schema/value-schema.ts';
import type { Draft } from './draft.ts';
import { EditProblem } from './edit-problem.ts';

/**
 * Renames a stream in place, so that its comments and its position stay. Raises `stream_exists` if another stream has the name.
 */
export function renameStream(draft: Draft, name: string, newName: string): void {
  const path = ['streams', name, 'name'];
  const found = draft.find('stream', name);
  const [word] = found ? argumentsOf(found.directive) : [];
  if (!found || !word)
    throw new EditProblem(
      because('block_unknown', { kind: 'stream', name: name.slice(0, 200) }),
      path,
      'stream_not_found',
    );
  const checked = nameSchema.safeParse(newName);
  if (!checked.success) {
    throw new EditProblem(
      because('name_of_kind_invalid', { kind: 'stream', expected: formExpectedBy(checked.error) }),
      path,
      'bad_stream_name',
    );
  }
  if (draft.find('stream', newName))
    throw new EditProblem(
      because('name_exists', { kind: 'stream', name: newName.slice(0, 200) }),
      path,
      'stream_exists',
    );
  draft.change(found, [{ from: word.from, to: word.to, insert: printWord(newName) }]);
}
