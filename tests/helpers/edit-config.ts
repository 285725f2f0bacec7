import type { ConfigDocument } from '../../src-main/config/document.ts';
import {
  editDraftInSteps,
  makeEdits,
  type ConfigEdit,
  type DraftEdit,
  type EditResult,
} from '../../src-main/config/edit/edit-config.ts';
import { runAtOnce } from '../../src-main/lib/turns.ts';

/** Applies edits of any kind in a single turn of the event loop. */
export function editDraft(document: ConfigDocument, edit: DraftEdit): EditResult {
  return runAtOnce(editDraftInSteps(document, edit));
}

/** Edits a configuration text in a single turn of the event loop. */
export function editConfig(document: ConfigDocument, edits: readonly ConfigEdit[]): EditResult {
  return editDraft(document, (draft) => makeEdits(draft, edits, document.config));
}
