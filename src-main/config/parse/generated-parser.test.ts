import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configParserFiles } from '../../../scripts/write-config-parser.ts';

// Not beside the parser: the contract is type-checked for the renderer too, which has no Node.js.
it.each([...configParserFiles()])('the generated parser file %s matches the grammar', (name, text) => {
  expect(readFileSync(new URL(`../../../src-preload/contract/config-language/${name}`, import.meta.url), 'utf8')).toBe(
    text,
  );
});
