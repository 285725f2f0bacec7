import type { FormStatement } from '../../../src-preload/contract/config-language/block-form.ts';
import { edit, removal, statementOf, timeIn, withUnit, type Settings, type StatementEdit } from './statements.ts';

/** Words of `dvr` by their meaning; the words may come in any order. */
const PATTERNS = {
  days: /^[0-9.]+(ms|s|m|h|d)?$/,
  size: /^[0-9.]+([KMGT]B?|B)$/i,
  percent: /^[0-9.]+%$/,
} as const;

/** Parts of the directive `dvr`. */
export type RecordingPart = 'place' | keyof typeof PATTERNS;

/** Time for which recordings are kept if the operator chooses no other time. */
const NEW_DAYS = '7d';
/** Name of the storage that is added if the configuration has none. */
export const NEW_STORAGE = 'main';
/** Folder of that storage, in the data folder. */
export const NEW_FOLDER = 'archive';

function partOf(word: string): RecordingPart {
  const isNumber = (part: keyof typeof PATTERNS): boolean => PATTERNS[part].test(word);
  return isNumber('days') ? 'days' : isNumber('percent') ? 'percent' : isNumber('size') ? 'size' : 'place';
}

const GB_OF_UNIT: Readonly<Record<string, number>> = { B: 1e-9, K: 1e-6, M: 1e-3, G: 1, T: 1000 };

/** Word of a part as the settings dialog shows it: a time in days, a size in GB, a percentage as a number. */
function shown(part: RecordingPart, word: string): string {
  if (part === 'days') return timeIn(word, 'd', 's');
  if (part === 'percent') return word.slice(0, -1);
  if (part === 'place') return word;
  const unit = /[KMGTB]/i.exec(word)?.[0].toUpperCase() ?? 'B';
  return String(Number((Number.parseFloat(word) * (GB_OF_UNIT[unit] ?? 1)).toFixed(9)));
}

const UNITS = { days: 'd', size: 'G', percent: '%', place: '' } as const;

/** Part of a statement `dvr`; empty if it is missing. */
export function recordingPart(dvr: FormStatement | undefined, part: RecordingPart): string {
  const word = dvr?.words.find((one) => partOf(one) === part);
  return word === undefined ? '' : shown(part, word);
}

/** Changes a part of the recording; other words stay in their order. */
export function writeRecordingPart(settings: Settings, part: RecordingPart, value: string): readonly StatementEdit[] {
  const dvr = statementOf(settings, 'dvr');
  if (!dvr) return [];
  const at = dvr.words.findIndex((word) => partOf(word) === part);
  const fresh = value === '' ? [] : [part === 'place' ? value : withUnit(value, UNITS[part])];
  const words = at < 0 ? [...dvr.words, ...fresh] : dvr.words.toSpliced(at, 1, ...fresh);
  return [edit('dvr', 0, words, dvr.options)];
}

/** Switches recording on or off. @param storages names of the storages; the first one is used */
export function writeRecorded(isRecorded: boolean, storages: readonly string[]): readonly StatementEdit[] {
  return isRecorded ? [edit('dvr', 0, [`@${storages[0] ?? NEW_STORAGE}`, NEW_DAYS])] : [removal('dvr')];
}
