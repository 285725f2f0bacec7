import type { DirectiveHelp } from '../../../../src-preload/contract/config-language/directive-help.ts';
import { translated } from '../../../i18n/translated.ts';
import { BLOCK_DOCS_DE } from './block-texts-de.ts';
import { SERVER_DOCS_DE } from './server-texts-de.ts';
import { STREAM_DOCS_DE } from './stream-texts-de.ts';

/** English descriptions come from the server. */
const ENGLISH: Readonly<Record<string, string>> = {};
const DOCS = translated('directiveDocs', ENGLISH, { ...SERVER_DOCS_DE, ...STREAM_DOCS_DE, ...BLOCK_DOCS_DE });

/** Plain description of a directive in the language of the desk; in English for a directive that this desk does not know. */
export function docText({ doc, doc_code: code }: Pick<DirectiveHelp, 'doc' | 'doc_code'>): string {
  return (DOCS[code] ?? doc).replaceAll('`', '');
}
