import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/schema/config.ts';
import type { ConfigFile } from '../config/config-file.ts';
import { ConfigDocument } from '../config/document.ts';
import type { Draft } from '../config/edit/draft.ts';
import { editDraftInSteps, type DraftEdit } from '../config/edit/edit-config.ts';
import { putBlocks, type BlockRule } from '../config/edit/put-blocks.ts';
import { unmaskTextInSteps } from '../config/edit/unmask-text.ts';
import { runInTurns } from '../lib/turns.ts';
import { ConfigurationError } from './configuration-error.ts';

/**
 * Changes a draft of the configuration in force, in steps; raises `EditProblem`.
 *
 * @param document configuration in force, after all earlier changes
 */
export type ConfigurationEdit = (draft: Draft, config: Config, document: ConfigDocument) => ReturnType<DraftEdit>;

/**
 * Edits a document without applying it. Masked secrets keep their values. Raises the mistakes of the edit.
 */
export async function editedDocument(
  document: ConfigDocument,
  config: Config,
  edit: ConfigurationEdit,
): Promise<ConfigDocument> {
  const edited = await runInTurns(editDraftInSteps(document, (draft) => edit(draft, config, document)));
  if (edited.errors.length > 0) throw new ConfigurationError(edited.errors, edited.isRefused);
  return unmasked(edited.document, document);
}

/** Parses `text` as the successor of `document`, and reports its mistakes. Masked secrets keep their values. */
export async function parseSuccessor(document: ConfigDocument, text: string): Promise<ConfigDocument> {
  return unmasked(await ConfigDocument.parseInTurns(text, document), document);
}

/** Creates an edit from a text with blocks (`stream a { … }`). Each block replaces the block of its name or is added. */
export async function editOfBlocks(text: string, rule?: BlockRule): Promise<ConfigurationEdit> {
  const { textBlocks, errors } = await ConfigDocument.parseInTurns(text);
  if (!textBlocks) throw new ConfigurationError(errors);
  if (textBlocks.every(({ directives }) => directives.length === 0))
    throw new AirdeskError('bad_request', 'The text contains no directive');
  return (draft, config) => putBlocks(draft, config, textBlocks, rule);
}

/** Parses the text of a file and reuses unchanged parts of the previous document. Raises its mistakes. */
export async function documentOfFile(
  { path }: ConfigFile,
  text: string | undefined,
  previous: ConfigDocument,
): Promise<ConfigDocument> {
  if (text === undefined) throw new AirdeskError('config_file_unreadable', `There is no file ${path}`, { path });
  const document = await ConfigDocument.parseInTurns(text, previous);
  if (!document.config) throw new ConfigurationError(document.errors);
  return document;
}

async function unmasked(document: ConfigDocument, before: ConfigDocument): Promise<ConfigDocument> {
  const { text, errors } = await runInTurns(unmaskTextInSteps(document, before));
  if (errors.length > 0 && document.config) throw new ConfigurationError(errors);
  return text === document.text ? document : ConfigDocument.parseInTurns(text, document);
}
