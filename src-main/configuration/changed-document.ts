import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/config.ts';
import type { ConfigFile } from '../config/config-file.ts';
import { ConfigDocument } from '../config/document.ts';
import type { Draft } from '../config/edit/draft.ts';
import { editDraftInSteps, type DraftEdit } from '../config/edit/edit-config.ts';
import { putBlocks, type BlockRule } from '../config/edit/put-blocks.ts';
import { unmaskTextInSteps } from '../config/edit/secret-words.ts';
import { runInTurns } from '../lib/turns.ts';
import { ConfigurationError } from './configuration-error.ts';

/** Changes a draft of what is in force, in steps; raises `EditProblem`. @param document what is in force, which changes before this one have made */
export type ConfigurationEdit = (draft: Draft, config: Config, document: ConfigDocument) => ReturnType<DraftEdit>;

/** What an edit makes of a document; nothing is put into force. Masks mean the secrets that are there. Raises what is wrong with the edit. */
export async function editedDocument(
  document: ConfigDocument,
  config: Config,
  edit: ConfigurationEdit,
): Promise<ConfigDocument> {
  const edited = await runInTurns(editDraftInSteps(document, (draft) => edit(draft, config, document)));
  if (edited.errors.length > 0) throw new ConfigurationError(edited.errors, edited.isRefused);
  return unmasked(edited.document, document);
}

/** What a text would mean in the place of a document, with its mistakes. Masks mean the secrets that are there. */
export async function textInPlaceOf(document: ConfigDocument, text: string): Promise<ConfigDocument> {
  return unmasked(await ConfigDocument.parseInTurns(text, document), document);
}

/** The edit that puts the blocks of a text (`stream a { … }`) in the place of those with their names, or adds them. */
export async function editOfBlocks(text: string, rule?: BlockRule): Promise<ConfigurationEdit> {
  const { textBlocks, errors } = await ConfigDocument.parseInTurns(text);
  if (!textBlocks) throw new ConfigurationError(errors);
  if (textBlocks.every(({ directives }) => directives.length === 0))
    throw new AirdeskError('bad_request', 'There is nothing in this text');
  return (draft, config) => putBlocks(draft, config, textBlocks, rule);
}

/** What the text of a file says, on the ground of a document that most likely has much in common. Raises what is wrong with it. */
export async function documentOfFile(
  { path }: ConfigFile,
  text: string | undefined,
  previous: ConfigDocument,
): Promise<ConfigDocument> {
  if (text === undefined) throw new AirdeskError('config_file_unreadable', `${path} is not there`, { path });
  const document = await ConfigDocument.parseInTurns(text, previous);
  if (!document.config) throw new ConfigurationError(document.errors);
  return document;
}

async function unmasked(document: ConfigDocument, before: ConfigDocument): Promise<ConfigDocument> {
  const { text, errors } = await runInTurns(unmaskTextInSteps(document, before));
  if (errors.length > 0 && document.config) throw new ConfigurationError(errors);
  return text === document.text ? document : ConfigDocument.parseInTurns(text, document);
}
