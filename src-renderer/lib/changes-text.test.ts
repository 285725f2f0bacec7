import { afterEach, expect, it } from 'vitest';
import type { ConfigChanges } from '../../src-preload/contract/config-language/config-changes.ts';
import { i18n } from '../i18n/i18n.ts';
import { changesText } from './changes-text.ts';

afterEach(() => {
  i18n.global.locale.value = 'en';
});

const NONE: ConfigChanges = {
  kind: 'first',
  streams: null,
  lives: null,
  templates: null,
  settings: [],
  is_reordered: false,
};
const CHANGED: ConfigChanges = {
  ...NONE,
  kind: 'changed',
  streams: {
    added: { count: 2, names: ['cam1', 'cam 2 added'] },
    removed: { count: 7, names: [] },
    changed: { count: 1, names: ['gate'] },
    directives: { gate: ['title', 'dvr'] },
  },
  settings: ['http'],
  is_reordered: true,
};

it('changesText prints changes in the language of the desk, for any names', () => {
  const texts = (): string[] =>
    [CHANGED, NONE, { ...NONE, kind: 'saved' as const }].map((changes) => changesText({ summary: 'x', changes }));
  expect(texts()).toEqual([
    'streams: cam1, cam 2 added added, 7 removed, gate changed (title, dvr); http; order of streams',
    'the first version',
    'written to the file',
  ]);
  i18n.global.locale.value = 'de';
  expect(texts()).toEqual([
    'Streams: cam1, cam 2 added neu, 7 entfernt, gate geändert (title, dvr); http; Reihenfolge der Streams',
    'die erste Version',
    'in die Datei geschrieben',
  ]);
});

it('changesText returns a summary stored by an earlier release unchanged', () => {
  i18n.global.locale.value = 'de';
  expect(changesText({ summary: 'streams: cam1 added', changes: null })).toBe('streams: cam1 added');
});
