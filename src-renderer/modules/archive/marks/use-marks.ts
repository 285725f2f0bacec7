import { useBridge } from '../../../server/bridge.ts';
import { errorSentence } from '../../../lib/error-advice.ts';
import { useCall } from '../../../server/use-call.ts';
import { useConfirmStore } from '../../../ui/confirm-store.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import { SELECTION_TEXTS as TEXTS } from '../../../domain/archive/selection-texts.ts';
import { useArchiveStore } from '../store.ts';
import type { Mark } from '../../../domain/archive/marks.ts';

/** Actions of an operator on marks. Each shows its error, and loads the marks again. */
export interface MarkActions {
  addNote(atMs: number, text: string): Promise<void>;
  /** Removes a note, which can be undone, or removes a lock after confirmation. */
  remove(mark: Mark): Promise<void>;
  /** Locks the selected range of all shown streams. */
  lock(note: string): Promise<void>;
}

/** Time for which the Undo button of a removal is shown, in milliseconds. */
const UNDO_MS = 10_000;

/** Mark actions, for use inside a component. @param refresh loads the marks again */
export function useMarks(refresh: () => Promise<void>): MarkActions {
  const bridge = useBridge();
  const call = useCall();
  const archive = useArchiveStore();
  const confirm = useConfirmStore();
  const toasts = useToastStore();

  return {
    async addNote(atMs, text) {
      const [name] = archive.names;
      if (name !== undefined) await call('archive.add_note', { name, at: Math.ceil(atMs), text });
      await refresh();
    },
    async remove({ kind, id, name, from, to }) {
      if (kind === 'lock' && to !== null) {
        const question = {
          title: TEXTS.unlockTitle,
          body: TEXTS.unlockBody,
          confirmLabel: TEXTS.unlock,
          isDestructive: true,
        };
        if (await confirm.requestAnswer(question)) await call('archive.unlock', { name, from, to });
      } else if (kind === 'note' && (await call('archive.remove_note', { name, id })))
        toasts.show({
          kind: 'info',
          text: TEXTS.noteRemoved,
          action: { label: TEXTS.undo, run: () => void restore(name, id) },
          durationMs: UNDO_MS,
        });
      await refresh();
    },
    async lock(note) {
      const range = archive.selection;
      if (!range) return;
      const locked: string[] = [];
      for (const name of archive.names) {
        const time = { from: Math.floor(range.from), to: Math.ceil(range.to) };
        if (await call('archive.lock', { name, ...time, note })) locked.push(name);
      }
      if (locked.length > 0) toasts.show({ kind: 'info', text: TEXTS.locked(locked.join(', ')), durationMs: 5000 });
      await refresh();
    },
  };

  async function restore(name: string, id: string): Promise<void> {
    const reply = await bridge.call('archive.restore_note', { name, id });
    if (!reply.ok) toasts.show({ kind: 'error', text: errorSentence(reply.error), durationMs: 8000 });
    await refresh();
  }
}
