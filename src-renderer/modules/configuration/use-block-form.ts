import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import type { EditorState } from '@codemirror/state';
import { useDebounceFn } from '@vueuse/core';
import type { DirectiveEdit } from '../../../src-preload/contract/config-calls.ts';
import { formStatements, type FormStatement } from '../../../src-preload/contract/config-language/block-form.ts';
import { useCall } from '../../server/use-call.ts';
import { configText } from '../../lib/detail-text.ts';
import type { BlockHelp } from './editor/help.ts';
import { statementAt } from './editor/statement-at.ts';
import { useConfigurationStore } from './store.ts';

/** The form is drawn anew when the cursor and the text are still for so long. */
const QUIET_MS = 120;
/** How often an edit is made anew because the text became another one meanwhile. */
const TRIES = 5;

/** A stream, live prefix or template of the text, as a form shows it. */
export interface BlockForm {
  readonly kind: DirectiveEdit['block'];
  readonly name: string;
  readonly statements: readonly FormStatement[];
}

/** What is written of one directive. */
export type StatementEdit = Pick<DirectiveEdit, 'directive' | 'index' | 'words' | 'options'>;

/** The form beside the text. */
export interface BlockFormActions {
  /** Undefined where the cursor stands in no such block. */
  readonly form: ShallowRef<BlockForm | undefined>;
  /** Why the last edit was not made; empty where it was. */
  readonly failure: ComputedRef<string>;
  /** The cursor or the text around it changed. */
  follow(state: EditorState): void;
  /** Writes a directive of the block into the text. */
  write(edit: StatementEdit): Promise<void>;
}

/** Keeps a form in step with the block of the text that the cursor stands in. What is written in it goes into the text, by the server. */
export function useBlockForm(help: () => BlockHelp): BlockFormActions {
  const call = useCall();
  const store = useConfigurationStore();
  const form = shallowRef<BlockForm>();
  const failed = shallowRef({ text: '', message: '' });
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
    for (let tries = 0; tries < TRIES; tries++) {
      const { text } = store;
      const edits = [{ block: block.kind, name: block.name, ...change }];
      const reply = await call('config.edit_text', { text, edits });
      if (!reply) return;
      // What was typed meanwhile stays: the edit is made in it.
      if (text !== store.text) continue;
      failed.value = { text: reply.text, message: reply.errors[0]?.message ?? '' };
      store.setText(reply.text);
      return;
    }
  }
  return {
    form,
    failure: computed(() => (failed.value.text === store.text ? configText(failed.value.message) : '')),
    follow: (state) => void follow(state),
    write: (change) => {
      const block = form.value;
      // One after the other: each is made in the text that those before it left.
      if (block) writing = writing.then(() => edit(block, change));
      return writing;
    },
  };
}

function isEdited(kind: string): kind is DirectiveEdit['block'] {
  return kind === 'stream' || kind === 'live' || kind === 'template';
}
