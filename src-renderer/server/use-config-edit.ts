import type { ConfigImpact } from '../../src-preload/contract/operations/config-impact.ts';
import type { DirectiveEdit } from '../../src-preload/contract/operations/config-calls.ts';
import { problemText } from '../lib/problem-text.ts';
import { useToastStore } from '../ui/toast-store.ts';
import { TEXTS } from '../ui/texts.ts';
import { useCall } from './use-call.ts';

const UNDO_MS = 20_000;
/** Maximum number of edits of one call. */
const MAX_EDITS = 100;

/** Applies edits of the running configuration at once. @returns whether they are in force; a failure is shown */
export type EditConfig = (
  edits: readonly DirectiveEdit[],
  doneText: string,
  /** Asks the operator about the effect; undefined applies the edits without a question. */
  agree?: (impact: ConfigImpact) => Promise<boolean>,
) => Promise<boolean>;

/** Edits of the configuration by a button, for use inside a component. The message about them offers to undo them. */
export function useConfigEdit(): EditConfig {
  const call = useCall();
  const toasts = useToastStore();
  /** Asks the server for the text after edits. Shows a failure to the operator, and returns undefined then. */
  async function textAfter(before: string, edits: readonly DirectiveEdit[]): Promise<string | undefined> {
    let text = before;
    for (let at = 0; at < edits.length; at += MAX_EDITS) {
      const edited = await call('config.edit_text', { text, edits: edits.slice(at, at + MAX_EDITS) });
      const [problem] = edited?.errors ?? [];
      if (problem) toasts.show({ kind: 'error', text: problemText(problem), durationMs: 12_000 });
      if (!edited || problem) return undefined;
      text = edited.text;
    }
    return text;
  }

  return async (edits, doneText, agree) => {
    const current = await call('config.text', {});
    const text = current && (await textAfter(current.text, edits));
    if (!current || text === undefined) return false;
    if (agree) {
      const checked = await call('config.check', { text });
      const [mistake] = checked?.errors ?? [];
      if (mistake) toasts.show({ kind: 'error', text: problemText(mistake), durationMs: 12_000 });
      if (!checked?.impact || !(await agree(checked.impact))) return false;
    }
    const done = await call('config.apply', { text, revision: current.revision });
    if (!done) return false;
    const { version } = done;
    const undo =
      version === null ? {} : { action: { label: TEXTS.undo, run: () => void call('config.undo', { version }) } };
    toasts.show({ kind: 'info', text: doneText, durationMs: UNDO_MS, ...undo });
    return true;
  };
}
