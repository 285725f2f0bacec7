import type { StreamObject } from '../../../src-preload/contract/api/stream-object.ts';
import type { Config, InputConfig, StreamSettings, TemplateConfig } from '../../config/config.ts';
import { isSecretKey, maskAddress, masked } from '../../config/schema/secrets.ts';
import { FRAMES_TIMEOUT_MS } from '../../config/parse/map-block.ts';
import { SETTINGS_OF_STREAM, SETTINGS_OF_TEMPLATE, SOURCE_TIMEOUT_MS } from '../../config/schema/stream-settings.ts';
import type { SettingTable } from '../../config/schema/directive.ts';
import { jsonName, settingJson } from '../../config/schema/table.ts';
import type { JsonValue } from '../../config/schema/value-schema.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { valueAt, type JsonObject, type ObjectSource } from './object-source.ts';
import { StreamEntry } from '../../streams/stream-entry.ts';
import { STREAM_STATS, streamStats, type StreamStatsContext } from '../../streams/stream-stats.ts';
import { writtenSettings } from './written-settings.ts';

/** What the objects of streams are made of. */
export interface StreamObjectsOptions {
  readonly configuration: Pick<Configuration, 'config' | 'document'>;
  readonly streams: { list(): readonly StreamEntry[]; get(name: string): StreamEntry | undefined };
  readonly context: () => StreamStatsContext;
}

/** The streams of the server, as the collection API shows them. */
export class StreamObjects implements ObjectSource<StreamEntry> {
  readonly #options: StreamObjectsOptions;

  constructor(options: StreamObjectsOptions) {
    this.#options = options;
  }

  rows(): readonly StreamEntry[] {
    return this.#options.streams.list();
  }

  find(name: string): StreamEntry | undefined {
    return this.#options.streams.get(name);
  }

  getter(path: string): (entry: StreamEntry) => unknown {
    const keys = path.split('.');
    const [first = '', second = ''] = keys;
    const { config } = this.#options.configuration;
    switch (first) {
      case 'name':
        return ({ name }) => name;
      case 'named_by':
        return namedBy;
      case 'position':
        return positionOf;
      case 'static':
        return isStatic;
      case 'effective':
        return (entry) => valueAt(effective(config, entry), keys.slice(1));
      case 'stats':
        return this.#statsGetter(second, keys.slice(2));
      case 'config_on_disk':
        return (entry) => valueAt(this.#written(entry), keys.slice(1));
      default:
        return settingGetter(first, keys.slice(1));
    }
  }

  texts({ name, settings, inputs }: StreamEntry): Iterable<string | null> {
    const texts = [name, settings.title, settings.comment, settings.provider];
    // Search must not find the password of an address.
    for (const { url } of inputs) texts.push(url.includes('@') || url.includes('=') ? maskAddress(url) : url);
    return texts;
  }

  object(entry: StreamEntry): JsonObject {
    return { ...settingsJson(entry.settings), ...this.#state(entry) };
  }

  /** What the settings say is printed once for all requests. */
  text(entry: StreamEntry): string {
    return `${settingsText(entry.settings).slice(0, -1)},${JSON.stringify(this.#state(entry)).slice(1)}`;
  }

  /** All but the settings. */
  #state(entry: StreamEntry): JsonObject {
    const { config } = this.#options.configuration;
    const context = this.#options.context();
    const state: Partial<StreamObject> = {
      name: entry.name,
      position: positionOf(entry),
      static: isStatic(entry),
      named_by: namedBy(entry),
      inputs: inputsJson(entry, context),
      effective: effective(config, entry),
      config_on_disk: this.#written(entry) ?? null,
      stats: streamStats(entry, context),
    };
    // The schema of the contract is JSON; a test compares the two.
    return state as JsonObject;
  }

  /** A stream as it would be shown with another configuration in force. */
  preview(name: string, { config, document }: Pick<Configuration, 'config' | 'document'>): JsonObject {
    const settings = config.streams.get(name);
    if (!settings) return {};
    const entry = new StreamEntry(name, settings, true);
    const shown = new StreamObjects({ ...this.#options, configuration: { config, document } }).object(entry);
    entry.output.close();
    return shown;
  }

  #statsGetter(name: string, rest: readonly string[]): (entry: StreamEntry) => unknown {
    const read = Object.hasOwn(STREAM_STATS, name) ? STREAM_STATS[name as keyof typeof STREAM_STATS] : undefined;
    const context = this.#options.context();
    if (!read) return () => undefined;
    return rest.length === 0 ? (entry) => read(entry, context) : (entry) => valueAt(read(entry, context), rest);
  }

  #written({ name, isConfigured }: StreamEntry): JsonObject | undefined {
    return isConfigured ? writtenSettings(this.#options.configuration.document, 'streams', name) : undefined;
  }
}

const TABLE: SettingTable = { ...SETTINGS_OF_TEMPLATE, ...SETTINGS_OF_STREAM };
/** Settings by their name in JSON; the inputs and the prefixes are shown in another way. */
const SETTINGS = new Map(Object.entries(TABLE).map(([key, setting]) => [jsonName(setting), { key, setting }] as const));
const SPECIAL_KEYS: ReadonlySet<string> = new Set(['inputs', 'prefixes', 'position', 'static']);
const JSON_OF = new WeakMap<StreamSettings, JsonObject>();
const TEXT_OF = new WeakMap<StreamSettings, string>();

/** What holds for a stream, defaults too; what is not set is left out, and whether it is static. Secrets are masked. */
export function settingsJson(settings: StreamSettings): JsonObject {
  const known = JSON_OF.get(settings);
  if (known) return known;
  const json: Record<string, JsonValue> = {};
  for (const [name, { key, setting }] of SETTINGS) {
    if (SPECIAL_KEYS.has(name)) continue;
    const value = settingJson(setting, valueOf(settings, key));
    if (value !== null && !(Array.isArray(value) && value.length === 0)) json[name] = value;
  }
  JSON_OF.set(settings, json);
  return json;
}

function settingsText(settings: StreamSettings): string {
  const known = TEXT_OF.get(settings);
  if (known !== undefined) return known;
  const text = JSON.stringify(settingsJson(settings));
  TEXT_OF.set(settings, text);
  return text;
}

/** Fields that lists are most often filtered and sorted by, as they are: the way through the table takes longer. */
const DIRECT: Readonly<Record<string, (entry: StreamEntry) => unknown>> = {
  title: ({ settings }) => settings.title,
  provider: ({ settings }) => settings.provider,
  comment: ({ settings }) => settings.comment,
  disabled: ({ settings }) => settings.isDisabled,
};

function settingGetter(name: string, rest: readonly string[]): (entry: StreamEntry) => unknown {
  const direct = Object.hasOwn(DIRECT, name) ? DIRECT[name] : undefined;
  if (direct) return direct;
  const found = SETTINGS.get(name);
  if (!found) return () => undefined;
  const { key, setting } = found;
  return ({ settings }) => {
    const value = valueOf(settings, key);
    if (value === null || value === undefined) return null;
    const json = settingJson(setting, value);
    return rest.length === 0 ? json : valueAt(json, rest);
  };
}

/** The inputs of settings. What an input has from its place or its stream is left out. */
export function settingsInputsJson(
  settings: Pick<StreamSettings, 'inputs' | 'sourceTimeoutMs'>,
): Readonly<Record<string, string | number>>[] {
  return settings.inputs.map((input) => ({
    ...Object.fromEntries(Object.entries(input.options).map(([key, value]) => [key, masked(value, isSecretKey(key))])),
    url: maskAddress(input.url),
    priority: input.priority,
    ...(input.framesTimeoutMs === defaultFramesTimeoutMs(input, settings)
      ? {}
      : { frames_timeout: input.framesTimeoutMs / 1000 }),
    ...(input.sourceTimeoutMs === settings.sourceTimeoutMs ? {} : { source_timeout: input.sourceTimeoutMs / 1000 }),
  }));
}

/** How long an input may be silent where that is not written. */
function defaultFramesTimeoutMs(
  { sourceTimeoutMs }: InputConfig,
  settings: Pick<StreamSettings, 'sourceTimeoutMs'>,
): number {
  const isSet = sourceTimeoutMs !== settings.sourceTimeoutMs || settings.sourceTimeoutMs !== SOURCE_TIMEOUT_MS;
  return isSet ? sourceTimeoutMs : Math.min(FRAMES_TIMEOUT_MS, sourceTimeoutMs);
}

function inputsJson(entry: StreamEntry, { nowMs }: StreamStatsContext): StreamObject['inputs'] {
  const { status } = entry;
  const shown = settingsInputsJson({ inputs: entry.inputs, sourceTimeoutMs: entry.settings.sourceTimeoutMs });
  return shown.map((input, index): StreamObject['inputs'][number] => {
    const state = status?.inputs[index];
    const lastUnitMs = state?.lastUnitMs ?? 0;
    return {
      url: '',
      ...input,
      stats: {
        phase: state?.phase ?? (String(input['url']).startsWith('publish://') ? 'waiting' : 'standby'),
        active: state !== undefined && status?.activeInput === index,
        ts_delay: lastUnitMs > 0 ? Math.max(0, nowMs - lastUnitMs) : null,
        last_dts_at: lastUnitMs > 0 ? lastUnitMs : null,
        retry_count: state?.retryCount ?? 0,
        errors: state?.errorCount ?? 0,
        error: state?.lastFault?.code ?? null,
      },
    } as StreamObject['inputs'][number];
  });
}

function namedBy({ isConfigured }: StreamEntry): 'config' | 'user' {
  return isConfigured ? 'config' : 'user';
}

/** What publishers make comes and goes with them, whatever their template says. */
function isStatic({ isConfigured, settings }: StreamEntry): boolean {
  return isConfigured && settings.isStatic;
}

function effective(config: Config, entry: StreamEntry): StreamObject['effective'] {
  const section = entry.isConfigured
    ? 'stream'
    : config.lives.has((entry.settings as Partial<TemplateConfig>).name ?? '')
      ? 'live'
      : 'template';
  return { name: entry.name, position: positionOf(entry), section, static: isStatic(entry) };
}

/** What is configured and nothing else: a place that followed from other streams would move with them, and cursors with it. */
function positionOf({ settings }: StreamEntry): number {
  return settings.position ?? 0;
}

function valueOf(settings: StreamSettings, key: string): unknown {
  // Settings are looked up by the name that the table gives them.
  return (settings as unknown as Readonly<Record<string, unknown>>)[key];
}
