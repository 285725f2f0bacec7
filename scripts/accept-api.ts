import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compactDocument, type ApiDocument } from '../tests/helpers/api-breaks.ts';

/** OpenAPI document of the last release without its texts: the part on which clients rely. */
export const RELEASED_API_FILE = fileURLToPath(new URL('../tests/golden/openapi-released.json', import.meta.url));

// Run this script for a release, or after an intended breaking change: it accepts the current API.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { CollectionStage } = await import('../tests/helpers/collection-stage.ts');
  const stage = await CollectionStage.start('http 80;');
  writeFileSync(RELEASED_API_FILE, `${JSON.stringify(compactDocument(stage.document as ApiDocument))}\n`);
  await stage.close();
}
