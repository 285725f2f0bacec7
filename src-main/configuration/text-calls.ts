import type { CallInput, CallOutput, ConfigWarning } from '../../src-preload/contract/index.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { DirectiveEdit } from '../../src-preload/contract/operations/config-calls.ts';
import { ConfigDocument } from '../config/document.ts';
import { editDraftInSteps, makeEdits, type ConfigEdit } from '../config/edit/edit-config.ts';
import { maskText } from '../config/edit/secret-words.ts';
import type { ConfigError } from '../config/parse/problem.ts';
import { runInTurns } from '../lib/turns.ts';
import { changeImpact, type Running } from './change-impact.ts';
import { problemsView, warningsView } from './change-report.ts';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';

/** Maximum number of mistakes in an answer. */
const MAX_ERRORS = 100;

/** Text in force for an editor, with the revision of the configuration. */
export async function editedText(configuration: Configuration): Promise<CallOutput<'config.text'>> {
  const { document, versionId: version } = configuration;
  const revision = revisionOf(configuration);
  return { text: await runInTurns(maskText(document)), revision, version };
}

/** Text of a version; secrets are masked. */
export async function versionText(configuration: Configuration, id: number): Promise<{ text: string }> {
  return { text: await runInTurns(maskText(await configuration.versions.document(id))) };
}

/** Mistakes of a text, or the effect of applying it. Changes nothing. */
export async function checkedText(
  configuration: Configuration,
  text: string,
  running: Running,
): Promise<CallOutput<'config.check'>> {
  const { config: before } = configuration;
  try {
    const document = await configuration.changes.validate(text);
    const { warnings = [] } = warningsView(document);
    const { config } = document;
    if (!config) return { errors: problemsOf(document.errors), warnings, impact: null };
    return {
      errors: [],
      warnings,
      impact: await changeImpact(before, config, running),
    };
  } catch (cause) {
    if (cause instanceof ConfigurationError) return { errors: problemsOf(cause.errors), warnings: [], impact: null };
    throw cause;
  }
}

/** Text after changes of single directives. All other parts of the text stay byte for byte. */
export async function textAfterEdits(
  configuration: Configuration,
  { text, edits }: CallInput<'config.edit_text'>,
): Promise<CallOutput<'config.edit_text'>> {
  const before = await ConfigDocument.parseInTurns(text, configuration.document);
  const { document, errors } = await runInTurns(
    editDraftInSteps(before, (draft) => makeEdits(draft, edits.map(editOf), before.config)),
  );
  return { text: document.text, errors: problemsOf(errors) };
}

/** Raises `config_changed_since` if another configuration was applied since a text was read. */
export function requireRevision(configuration: Configuration, revision: string): void {
  if (revision !== revisionOf(configuration))
    throw new AirdeskError('config_changed_since', 'The configuration has changed since this text was read');
}

function revisionOf({ revision: [startedMs, applied] }: Configuration): string {
  return `${startedMs}.${applied}`;
}

function editOf({ block, name, directive, index, words, options }: DirectiveEdit): ConfigEdit {
  return words === null
    ? { edit: 'removeStreamDirective', block, name, directive, index }
    : {
        edit: 'setStreamDirective',
        block,
        name,
        index,
        directive: { name: directive, args: words, ...(options ? { options } : {}) },
      };
}

function problemsOf(errors: readonly ConfigError[]): ConfigWarning[] {
  return problemsView(errors.slice(0, MAX_ERRORS));
}
