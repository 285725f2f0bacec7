import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configParserFiles } from '../../../scripts/write-config-parser.ts';

// Not next to the parser: the contract is type-checked for the renderer too, which has no Node.
it.each([...configParserFiles()])('%s matches the grammar', (name, text) => {
  expect(readFileSync(new URL(`../../../src-preload/contract/config-language/${name}`, import.meta.url), 'utf8')).toBe(
    text,
  );
});
