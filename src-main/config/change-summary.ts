import { printConfigChanges, type ConfigChanges } from '../../src-preload/contract/config-language/config-changes.ts';
import type { CollectionChange, ConfigChange } from './diff-config.ts';
import type { SettingTable } from './schema/directive.ts';
import { SETTINGS_OF_TEMPLATE, SETTINGS_OF_STREAM } from './schema/stream-settings.ts';

/** Maximum number of names of a kind that a summary lists. */
const MAX_NAMES = 5;
/** Maximum length of a name in a summary, in characters. */
const MAX_NAME_CHARS = 200;
const SETTINGS: SettingTable = { ...SETTINGS_OF_STREAM, ...SETTINGS_OF_TEMPLATE };

/** Summary of a version: facts, and a sentence in English. */
interface Summary {
  readonly summary: string;
  readonly changes: ConfigChanges;
}

/** Summary of the first version, or of a version that only writes an earlier change to the file. */
export function summarizeVersion(kind: 'first' | 'saved'): Summary {
  return printed({ kind, streams: null, lives: null, templates: null, settings: [], is_reordered: false });
}

/** Summary of a difference. */
export function summarize(change: ConfigChange): Summary {
  const settings = [
    ...change.globals
      .filter((key) => key !== 'passthrough')
      .map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    ...(change.globals.includes('passthrough') ? ['plugins'] : []),
  ];
  const streams = summaryOf(change.streams);
  const lives = summaryOf(change.livePrefixes);
  const templates = summaryOf(change.templates);
  const isChanged = settings.length > 0 || (streams ?? lives ?? templates) !== null || change.isReordered;
  const kind = isChanged ? 'changed' : 'formatting';
  return printed({ kind, streams, lives, templates, settings, is_reordered: change.isReordered });
}

function printed(changes: ConfigChanges): Summary {
  return { summary: printConfigChanges(changes), changes };
}

function summaryOf({ added, removed, changed }: CollectionChange): ConfigChanges['streams'] {
  if (added.length + removed.length + changed.length === 0) return null;
  const few = changed.length > MAX_NAMES ? [] : changed;
  return {
    added: counted(added),
    removed: counted(removed),
    changed: counted(changed.map(({ name }) => name)),
    directives: Object.fromEntries(few.map(({ name, keys }) => [short(name), keys.map(directiveOf)])),
  };
}

function counted(names: readonly string[]): { readonly count: number; readonly names: string[] } {
  return { count: names.length, names: names.length > MAX_NAMES ? [] : names.map(short) };
}

function short(name: string): string {
  return name.slice(0, MAX_NAME_CHARS);
}

/** Name of the directive of a setting. */
function directiveOf(key: string): string {
  return (Object.hasOwn(SETTINGS, key) ? SETTINGS[key]?.directive : undefined) ?? key;
}
