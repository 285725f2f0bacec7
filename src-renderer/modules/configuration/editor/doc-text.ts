import { translated } from '../../../i18n/translated.ts';
import { BLOCK_DOCS_DE } from './block-texts-de.ts';
import { SERVER_DOCS_DE } from './server-texts-de.ts';
import { STREAM_DOCS_DE } from './stream-texts-de.ts';

const GERMAN = { ...SERVER_DOCS_DE, ...STREAM_DOCS_DE, ...BLOCK_DOCS_DE };
const DOCS = translated(
  'directiveDocs',
  Object.fromEntries(Object.keys(GERMAN).map((english) => [english, english])),
  GERMAN,
);

/**
 * Translates the server's description of a directive; a text that this desk does not know, for example of a later server, stays
 * in English.
 */
export function docText(english: string): string {
  return DOCS[english] ?? english;
}
