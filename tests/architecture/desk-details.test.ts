import { expect, it } from 'vitest';
import { DETAILS_DE } from '../../src-renderer/lib/detail-texts-de.ts';
import { DETAILS_EN } from '../../src-renderer/lib/detail-texts.ts';
import { filesUnder, isTest, textOf } from './source-files.ts';

it('the desk translates only sentences that the server writes, with as many places in both languages', () => {
  const sources = filesUnder('src-main', /\.ts$/)
    .filter((file) => !isTest(file))
    .map((file) => textOf(file).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '*'))
    .join('\n');
  expect(Object.values(DETAILS_EN).filter((text) => !sources.includes(text))).toEqual([]);
  for (const [name, text] of Object.entries(DETAILS_EN))
    expect(String(Reflect.get(DETAILS_DE, name)).split('*')).toHaveLength(text.split('*').length);
});
