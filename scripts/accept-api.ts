import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compactDocument, type ApiDocument } from '../tests/helpers/api-breaks.ts';

/** The OpenAPI document as it is. */
export const API_DOCUMENT_FILE = fileURLToPath(new URL('../tests/golden/openapi.json', import.meta.url));
/** The document of the last release, without its words: what clients rely on. */
export const RELEASED_API_FILE = fileURLToPath(new URL('../tests/golden/openapi-released.json', import.meta.url));

// With a release, and where a change is meant to break clients: what is there now is what they rely on.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const document = JSON.parse(readFileSync(API_DOCUMENT_FILE, 'utf8')) as ApiDocument;
  writeFileSync(RELEASED_API_FILE, `${JSON.stringify(compactDocument(document))}\n`);
}
