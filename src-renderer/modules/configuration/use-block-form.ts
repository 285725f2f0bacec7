import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import type { EditorState } from '@codemirror/state';
import { useDebounceFn } from '@vueuse/core';
import type { ConfigWarning } from '../../../src-preload/contract/index.ts';
import type { DirectiveEdit } from '../../../src-preload/contract/operations/config-calls.ts';
import { formStatements, type FormStatement } from '../../../src-preload/contract/config-language/block-form.ts';
import { useCall } from '../../server/use-call.ts';
import { problemText } from '../../lib/problem-text.ts';
import type { BlockHelp } from './editor/help.ts';
import { statementAt } from './editor/statement-at.ts';
import { useConfigurationStore } from './store.ts';

/** Delay after the last change of cursor or text before the form is drawn again. */
const QUIET_MS = 120;
/** Maximum number of attempts of an edit: the text may change while the server makes it. */
const MAX_ATTEMPTS = 5;

/** Stream, live prefix or template of the text, as a form shows it. */
export interface BlockForm {
  readonly kind: DirectiveEdit['block'];
  readonly name: string;
  readonly statements: readonly FormStatement[];
}

/** New words and options of a statement. */
export type StatementEdit = Pick<DirectiveEdit, 'directive' | 'index' | 'words' | 'options'>;

/** Form beside the text. */
export interface BlockFormActions {
  /** Undefined if the cursor is in no such block. */
  readonly form: ShallowRef<BlockForm | undefined>;
  /** Reason why the last edit failed; empty after a success. */
  readonly failure: ComputedRef<string>;
  /** Handles a change of the cursor or of the text around it. */
  follow(state: EditorState): void;
  /** Writes a statement of the block into the text. */
  write(edit: StatementEdit): Promise<void>;
}

/** Keeps a form in sync with the block at the cursor. Changes in the form are written into the text by the server. */
export function useBlockForm(help: () => BlockHelp): BlockFormActions {
  const call = useCall();
  const store = useConfigurationStore();
  const form = shallowRef<BlockForm>();
  const failed = shallowRef<{ readonly text: string; readonly problem?: ConfigWarning | undefined }>({ text: '' });
  let writing: Promise<void> = Promise.resolve();

  const follow = useDebounceFn((state: EditorState) => {
    const [block] = statementAt(state, state.selection.main.head).blocks;
    if (!block || !isEdited(block.kind)) form.value = undefined;
    else {
      const statements = formStatements(state.sliceDoc(block.from, block.to), help()[block.kind] ?? []);
      form.value = { kind: block.kind, name: block.name, statements };
    }
  }, QUIET_MS);

  async function edit(block: BlockForm, change: StatementEdit): Promise<void> {
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const { text } = store;
      const edits = [{ block: block.kind, name: block.name, ...change }];
      const reply = await call('config.edit_text', { text, edits });
      if (!reply) return;
      // Text typed meanwhile stays: the edit is repeated in the new text.
      if (text !== store.text) continue;
      failed.value = { text: reply.text, problem: reply.errors[0] };
      store.setText(reply.text);
      return;
    }
  }
  return {
    form,
    failure: computed(() => (failed.value.text === store.text ? problemText(failed.value.problem) : '')),
    follow: (state) => void follow(state),
    write: (change) => {
      const block = form.value;
      // In sequence: each edit starts from the result of the last.
      if (block) writing = writing.then(() => edit(block, change));
      return writing;
    },
  };
}

function isEdited(kind: string): kind is DirectiveEdit['block'] {
  return kind === 'stream' || kind === 'live' || kind === 'template';
}
