import type { StreamSettings } from '../../config/schema/config.ts';
import { inputOptionsJson, inputTimeoutsJson } from '../../config/config-json.ts';
import type { SettingTable } from '../../config/schema/directive.ts';
import { maskAddress } from '../../config/schema/secrets.ts';
import { SETTINGS_OF_STREAM, SETTINGS_OF_TEMPLATE } from '../../config/schema/stream-settings.ts';
import { isUnset, jsonName, settingJson, shownJson } from '../../config/schema/table.ts';
import { valueAt, type JsonObject } from './object-source.ts';

interface WithSettings {
  readonly settings: StreamSettings;
}

const TABLE: SettingTable = { ...SETTINGS_OF_TEMPLATE, ...SETTINGS_OF_STREAM };
const SETTINGS = new Map(Object.entries(TABLE).map(([key, setting]) => [jsonName(setting), { key, setting }] as const));
/** Settings that need no separate conversion. */
const { inputs: _inputs, prefixes: _prefixes, position: _position, isStatic: _isStatic, ...PLAIN } = TABLE;
const JSON_OF = new WeakMap<StreamSettings, JsonObject>();
const TEXT_OF = new WeakMap<StreamSettings, string>();

/** Effective settings of a stream with defaults, and whether it is static; unset values are left out. Secrets are masked. */
export function settingsJson(settings: StreamSettings): JsonObject {
  const cached = JSON_OF.get(settings);
  if (cached) return cached;
  const json = shownJson(PLAIN, settings);
  JSON_OF.set(settings, json);
  return json;
}

/** Settings as JSON text, printed once for all requests. */
export function settingsText(settings: StreamSettings): string {
  const cached = TEXT_OF.get(settings);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(settingsJson(settings));
  TEXT_OF.set(settings, text);
  return text;
}

/** Direct readers of the fields that are used most for filters and sorting. Reading them through the table takes longer. */
const DIRECT: Readonly<Record<string, (entry: WithSettings) => unknown>> = {
  title: ({ settings }) => settings.title,
  provider: ({ settings }) => settings.provider,
  comment: ({ settings }) => settings.comment,
  disabled: ({ settings }) => settings.isDisabled,
};

/** Creates a reader of a setting, with the same values as the JSON of the settings. @param rest path inside the value */
export function settingGetter(name: string, rest: readonly string[]): (entry: WithSettings) => unknown {
  const direct = Object.hasOwn(DIRECT, name) ? DIRECT[name] : undefined;
  if (direct) return direct;
  const found = SETTINGS.get(name);
  if (!found) return () => undefined;
  const { key, setting } = found;
  return ({ settings }) => {
    // Settings are found by their name in the table.
    const json = settingJson(setting, (settings as unknown as Readonly<Record<string, unknown>>)[key]);
    if (isUnset(json)) return null;
    return rest.length === 0 ? json : valueAt(json, rest);
  };
}

/** Inputs of the settings, without values that follow from the position of the input or from its stream. */
export function settingsInputsJson(
  settings: Pick<StreamSettings, 'inputs' | 'sourceTimeoutMs'>,
): Readonly<Record<string, string | number>>[] {
  return settings.inputs.map((input) => ({
    ...inputOptionsJson(input),
    url: maskAddress(input.url),
    priority: input.priority,
    ...inputTimeoutsJson(input, settings),
  }));
}
