import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { API_DOCUMENT_FILE, RELEASED_API_FILE } from '../../scripts/accept-api.ts';
import { breakingChanges, describeBreak, type ApiDocument } from '../helpers/api-breaks.ts';

function read(path: string): ApiDocument {
  return JSON.parse(readFileSync(path, 'utf8')) as ApiDocument;
}

it('the API breaks no client of the last release; CONTRIBUTING.md says how to break one on purpose', () => {
  const released = read(RELEASED_API_FILE);
  expect(Object.keys(released['paths'] ?? {}).length).toBeGreaterThan(50);
  expect(breakingChanges(released, read(API_DOCUMENT_FILE)).map(describeBreak)).toEqual([]);
});
