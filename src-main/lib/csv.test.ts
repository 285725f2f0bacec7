import { expect, it } from 'vitest';
import { csvLine as deskLine } from '../../src-renderer/lib/csv.ts';
import { csvLine } from './csv.ts';

const FORMULAS = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '-', '=cmd|x!A1'];

it('CSV lines escape cells that spreadsheets would evaluate', () => {
  for (const line of [csvLine, deskLine])
    for (const text of FORMULAS) expect(line([text]).replace(/^"/, '')).toMatch(/^'/);
});

it('CSV lines contain numbers and other texts unchanged', () => {
  expect(csvLine(['-23.5', '0', 'a=b', 'news', ''])).toBe('-23.5,0,a=b,news,\r\n');
});
