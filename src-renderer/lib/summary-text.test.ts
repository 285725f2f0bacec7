import { afterEach, expect, it } from 'vitest';
import { i18n } from '../i18n/i18n.ts';
import { summaryText } from './summary-text.ts';

afterEach(() => {
  i18n.global.locale.value = 'en';
});

it('translates the summary of a version; names and directives stay', () => {
  const summaries = [
    'streams: cam1, cam2 added, gate changed (title, dvr); http; order of streams',
    'the first version',
  ];
  expect(summaries.map(summaryText)).toEqual(summaries);
  i18n.global.locale.value = 'de';
  expect(summaries.map(summaryText)).toEqual([
    'Streams: cam1, cam2 neu, gate geändert (title, dvr); http; Reihenfolge der Streams',
    'die erste Fassung',
  ]);
});
