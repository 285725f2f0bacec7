import { afterEach, describe, expect, it } from 'vitest';
import { i18n } from '../../i18n/i18n.ts';
import { alarmDetail } from './alarm-details.ts';

const SOURCES = import.meta.glob<string>(
  ['../../../src-main/monitor/**/{content,*-conditions}.ts', '../../../src-main/compose/monitor/*-conditions.ts'],
  { query: '?raw', import: 'default', eager: true },
);
/** What conditions say, with an example for each value. */
const SENTENCES = Object.values(SOURCES)
  .flatMap((source) => [...source.matchAll(/detail(?: =|:) (?:`([^`]+)`|'([^']+)')/g)])
  .map(([, form, words]) =>
    (words ?? form ?? '')
      .replace(/\$\{range\([^}]*\}/g, 'at least 2')
      .replace(/\$\{UNITS[^}]*\}/g, 'LUFS')
      .replace(/\$\{[^}]*\}/g, '1'),
  );

describe('what the server says of alarms', () => {
  afterEach(() => {
    i18n.global.locale.value = 'en';
  });

  it('is all there', () => {
    expect(SENTENCES.length).toBeGreaterThanOrEqual(19);
  });

  it.each(SENTENCES)('%s', (sentence) => {
    expect(alarmDetail(sentence)).toBe(sentence);
    i18n.global.locale.value = 'de';
    expect(alarmDetail(sentence)).not.toBe(sentence);
    expect(alarmDetail(sentence)).not.toMatch(/wanted|least|\bis\b/);
  });

  it.each([
    'Every user of this machine may read /etc/a.conf, and there may be passwords in it: chmod o-rwx /etc/a.conf',
    'The disk of the data folder is full: 12 MiB are free',
  ])('of itself: %s', (sentence) => {
    expect(alarmDetail(sentence)).toBe(sentence);
    i18n.global.locale.value = 'de';
    expect(alarmDetail(sentence)).toMatch(/Rechners|Laufwerk/);
  });

  it('keeps its values, and what is from elsewhere', () => {
    i18n.global.locale.value = 'de';
    expect(
      ['Peak -3.5 dBFS, wanted -60 to -9', '-9.1 LUFS, wanted at most -14', 'ENOSPC'].map((words) =>
        alarmDetail(words),
      ),
    ).toEqual(['Spitze -3.5 dBFS, gewünscht -60 bis -9', '-9.1 LUFS, gewünscht höchstens -14', 'ENOSPC']);
  });
});
