import { printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import { nameSchema } from '../schema/value-schema.ts';
import type { Draft } from './draft.ts';
import { EditProblem } from './edit-problem.ts';

/** Renames a stream in place: its comments and its position stay. In steps. Raises `stream_exists` for a name that is taken. */
export function* renameStream(draft: Draft, name: string, newName: string): Generator<void, void> {
  yield* draft.indexInSteps();
  const path = ['streams', name, 'name'];
  const found = draft.find('stream', name);
  const [word] = found ? argumentsOf(found.directive) : [];
  if (!found || !word)
    throw new EditProblem('stream_not_found', `There is no stream ${name.slice(0, 200)}`, undefined, path);
  const checked = nameSchema.safeParse(newName);
  if (!checked.success) {
    const expected = checked.error.issues[0]?.message ?? 'a name';
    throw new EditProblem('bad_stream_name', `This is not a valid stream name: expected ${expected}`, undefined, path);
  }
  if (draft.find('stream', newName))
    throw new EditProblem('stream_exists', `There is a stream ${newName.slice(0, 200)} already`, undefined, path);
  draft.change(found, [{ from: word.from, to: word.to, insert: printWord(newName) }]);
}
