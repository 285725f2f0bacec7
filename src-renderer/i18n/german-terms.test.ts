import { describe, expect, it } from 'vitest';

/** German texts of the desk, by file. */
const SOURCES = import.meta.glob<string>(['../**/texts-de.ts', '../**/*-texts-de.ts', '../shell/keys/texts.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Synonyms that the table of terms (README.md) replaces by one word. */
const DISCARDED = [
  /\bBackups?\b/,
  /Werbepause|Werbeunterbrechung/,
  /\bblockiert|\bgebannt/,
  /\bZellen?\b/,
  /[Uu]mgewandelt|Umwandlung/,
  /[Aa]bgeschaltet|\bAbschalten\b|\bEinschalten\b/,
  /Laufwerk|Festplatte/,
  /Kopfzeile/,
  /\bInputs?\b/,
  /Schlüsselbild/,
  /Kennzeichen/,
  /\bLogs?\b|Logdatei/,
  /\b([Dd]e[rn]|[Ee]inen|[Kk]einen|[Jj]eder|Weiterer) Login\b/,
  /Maschine/,
  /Operator\b|Bedienpersonal|von der Bedienung/,
  /Teilstück/,
  /weitergeleitet/,
  /Aufnahme|Mitschnitt/,
  /\bFrist\b|Aufbewahrungsfrist/,
  /Teilnehmer/,
  /\bTracks?\b/,
  /\bNutzer|Anwender/,
  /Betrachter/,
];

describe('German texts of the desk', () => {
  it.each(Object.keys(SOURCES))('use the standard terms: %s', (file) => {
    const lines = (SOURCES[file] ?? '').split('\n').filter((line) => DISCARDED.some((word) => word.test(line)));
    expect(lines).toEqual([]);
  });

  it('are found by this test', () => {
    expect(Object.keys(SOURCES).length).toBeGreaterThan(25);
  });
});
