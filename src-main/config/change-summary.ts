import type { CollectionChange, ConfigChange } from './diff-config.ts';
import type { SettingTable } from './schema/directive.ts';
import { SETTINGS_OF_TEMPLATE, SETTINGS_OF_STREAM } from './schema/stream-settings.ts';

const MAX_LENGTH = 300;
const MAX_NAMES = 5;
const SETTINGS: SettingTable = { ...SETTINGS_OF_STREAM, ...SETTINGS_OF_TEMPLATE };

/** Summary of a difference: `streams: cam1 added, cam2 changed (title); http`. */
export function summarize(change: ConfigChange): string {
  const parts = [
    ...(['streams', 'lives', 'templates'] as const).flatMap((key) => {
      const words = collectionWords(change[key]);
      return words.length > 0 ? [`${key}: ${words.join(', ')}`] : [];
    }),
    ...change.globals
      .filter((key) => key !== 'passthrough')
      .map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    ...(change.globals.includes('passthrough') ? ['plugins'] : []),
    ...(change.isReordered ? ['order of streams'] : []),
  ];
  const text = parts.length > 0 ? parts.join('; ') : 'nothing but spacing and comments';
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

function collectionWords({ added, removed, changed }: CollectionChange): string[] {
  return [
    ...names(added, 'added'),
    ...names(removed, 'removed'),
    ...(changed.length > MAX_NAMES
      ? [`${changed.length} changed`]
      : changed.map(({ name, keys }) => `${name} changed (${keys.map(directiveOf).join(', ')})`)),
  ];
}

/** Name of a setting in the text. */
function directiveOf(key: string): string {
  return (Object.hasOwn(SETTINGS, key) ? SETTINGS[key]?.directive : undefined) ?? key;
}

function names(list: readonly string[], verb: string): string[] {
  if (list.length === 0) return [];
  return [list.length > MAX_NAMES ? `${list.length} ${verb}` : `${list.join(', ')} ${verb}`];
}
