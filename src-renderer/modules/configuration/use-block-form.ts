import { computed, ref, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import type { EditorState } from '@codemirror/state';
import { useDebounceFn } from '@vueuse/core';
import { fieldProblem } from '../../domain/settings/field-problem.ts';
import type { ExistingObjects } from '../../domain/settings/setting-fields.ts';
import { SettingBlocks, type BlockHelp, type BlockName } from '../../domain/settings/setting-blocks.ts';
import { mergeEdits, type Settings, type StatementEdit } from '../../domain/settings/statements.ts';
import type { FieldChange, FieldFailure } from '../../domain/settings/use-stream-settings.ts';
import { useCall } from '../../server/use-call.ts';
import { statementAt } from './editor/statement-at.ts';
import { useConfigurationStore } from './store.ts';

/** Delay after the last change of cursor or text before the form is drawn again. */
const QUIET_MS = 120;
/** Delay after the last key press in the form before the text is changed. */
const WRITE_MS = 250;
/** Maximum number of attempts of an edit: the text may change while the server processes it. */
const MAX_ATTEMPTS = 5;

/** Form beside the text. */
export interface BlockFormActions {
  /** Block at the cursor; undefined if the cursor is in no stream, live prefix or template. */
  readonly block: ShallowRef<BlockName | undefined>;
  readonly settings: ComputedRef<Settings | undefined>;
  readonly existing: ComputedRef<ExistingObjects>;
  /** Reason why the last edit failed; undefined after a success. */
  readonly failure: ComputedRef<FieldFailure | undefined>;
  /** Handles a change of the cursor or of the text around it. */
  follow(state: EditorState): void;
  /** Writes a change of a field into the text, after a pause. */
  write(change: FieldChange): void;
}

/** Keeps a form in sync with the block at the cursor. Changes in the form are written into the text by the server. */
export function useBlockForm(help: () => BlockHelp): BlockFormActions {
  const call = useCall();
  const store = useConfigurationStore();
  const block = shallowRef<BlockName>();
  /** Text of the form; it follows the text of the editor. */
  const text = ref(store.text);
  const blocks = computed(() => new SettingBlocks(text.value, help()));
  /** Edits that are not in the text yet. */
  const edits = shallowRef<readonly StatementEdit[]>([]);
  const settings = computed(() => (block.value ? blocks.value.settingsOf(block.value, edits.value) : undefined));
  const failed = shallowRef<FieldFailure & { readonly of: string }>();
  let lastKey = '';
  let writing: Promise<void> = Promise.resolve();

  const follow = useDebounceFn((state: EditorState) => {
    // Edits of the form that are not in the text yet must not be lost.
    if (edits.value.length > 0) return;
    const [found] = statementAt(state, state.selection.main.head).blocks;
    text.value = state.doc.toString();
    block.value = found && isEdited(found.kind) ? { kind: found.kind, name: found.name } : undefined;
  }, QUIET_MS);

  async function writeEdits(): Promise<void> {
    const target = edits.value;
    if (!block.value || !settings.value || target.length === 0) return;
    const named = { block: block.value.kind, name: block.value.name };
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const before = store.text;
      const base = new SettingBlocks(before, help()).withStorage(settings.value);
      const reply = await call('config.edit_text', {
        text: base,
        edits: target.map((edit) => ({ ...named, ...edit })),
      });
      if (!reply) break;
      // Text typed meanwhile stays: the edit is repeated in the new text.
      if (before !== store.text) continue;
      const [problem] = reply.errors;
      const after = problem ? before : reply.text;
      failed.value = problem ? { key: lastKey, text: fieldProblem(problem), of: after } : undefined;
      store.setText(after);
      text.value = after;
      break;
    }
    // Keeps edits that were added meanwhile, or that replaced one of these.
    edits.value = edits.value.filter((edit, index) => edit !== target[index]);
  }
  const writeLater = useDebounceFn(() => (writing = writing.then(writeEdits)), WRITE_MS);

  return {
    block,
    settings,
    existing: computed(() => blocks.value.existing),
    failure: computed(() => (failed.value?.of === store.text ? failed.value : undefined)),
    follow: (state) => void follow(state),
    write({ key, edits: added }) {
      if (added.length === 0) return;
      lastKey = key;
      edits.value = mergeEdits(edits.value, added);
      void writeLater();
    },
  };
}

function isEdited(kind: string): kind is BlockName['kind'] {
  return kind === 'stream' || kind === 'live' || kind === 'template';
}
