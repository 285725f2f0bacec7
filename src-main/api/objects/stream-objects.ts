import type { StreamFacts, StreamInputs } from '../../../src-preload/contract/api/stream-object.ts';
import type { Config, TemplateConfig } from '../../config/schema/config.ts';
import { maskAddress } from '../../config/schema/secrets.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import { valueAt, type JsonObject, type ObjectSource } from './object-source.ts';
import { StreamEntry } from '../../streams/stream-entry.ts';
import { STREAM_STATS, streamStats, type StreamStatsContext } from '../../streams/stream-stats.ts';
import { settingGetter, settingsInputsJson, settingsJson, settingsText } from './settings-json.ts';
import { writtenSettings } from './written-settings.ts';

interface StreamObjectsContext extends Pick<ApiContext, 'streams' | 'stats' | 'clock'> {
  readonly configuration: Pick<Configuration, 'config' | 'document'>;
}

/** Properties of every list of streams, in all APIs. */
export const STREAM_LIST = {
  path: '/streams',
  name: 'streams',
  item: 'stream',
  key: 'name',
  missing: 'stream_not_found',
  implicitSort: ['named_by', 'position', 'name'],
  isScoped: true,
} as const;

/** Streams of the server in the collection API. */
export class StreamObjects implements ObjectSource<StreamEntry> {
  readonly #context: StreamObjectsContext;

  constructor(context: StreamObjectsContext) {
    this.#context = context;
  }

  rows(): readonly StreamEntry[] {
    return this.#context.streams.list();
  }

  find(name: string): StreamEntry | undefined {
    return this.#context.streams.get(name);
  }

  getter(path: string): (entry: StreamEntry) => unknown {
    const keys = path.split('.');
    const [first = '', second = ''] = keys;
    const { config } = this.#context.configuration;
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
        // Every stream has stats, so a filter on the complete field is true.
        return second === '' ? () => true : this.#statsGetter(second, keys.slice(2));
      case 'config_on_disk':
        return (entry) => valueAt(this.#written(entry), keys.slice(1));
      default:
        return settingGetter(first, keys.slice(1));
    }
  }

  texts({ name, settings, inputs }: StreamEntry): Iterable<string | null> {
    const texts = [name, settings.title, settings.comment, settings.provider];
    // Search must not find secrets in an address.
    for (const { url } of inputs) texts.push(maskAddress(url));
    return texts;
  }

  object(entry: StreamEntry): JsonObject {
    return { ...settingsJson(entry.settings), ...this.#state(entry) };
  }

  /** Object as JSON text. Its settings are printed once for all requests. */
  text(entry: StreamEntry): string {
    return `${settingsText(entry.settings).slice(0, -1)},${JSON.stringify(this.#state(entry)).slice(1)}`;
  }

  origin({ settings, isConfigured }: StreamEntry): readonly [object, ...unknown[]] {
    return [settings, isConfigured];
  }

  /** All fields except the settings. */
  #state(entry: StreamEntry): JsonObject {
    const { config } = this.#context.configuration;
    const context = this.#statsContext();
    const state: StreamFacts & { inputs: StreamInputs; position: number; static: boolean } = {
      name: entry.name,
      position: positionOf(entry),
      static: isStatic(entry),
      named_by: namedBy(entry),
      inputs: inputsJson(entry, context),
      effective: effective(config, entry),
      config_on_disk: this.#written(entry) ?? null,
      stats: streamStats(entry, context),
    };
    // The schema of the contract describes JSON; a test compares the two.
    return state as JsonObject;
  }

  /** Stream as it would be shown with another configuration in force. */
  preview(name: string, { config, document }: Pick<Configuration, 'config' | 'document'>): JsonObject {
    const settings = config.streams.get(name);
    if (!settings) return {};
    const entry = new StreamEntry(name, settings, true);
    const shown = new StreamObjects({ ...this.#context, configuration: { config, document } }).object(entry);
    entry.output.close();
    return shown;
  }

  #statsGetter(name: string, rest: readonly string[]): (entry: StreamEntry) => unknown {
    const read = Object.hasOwn(STREAM_STATS, name) ? STREAM_STATS[name as keyof typeof STREAM_STATS] : undefined;
    const context = this.#statsContext();
    if (!read) return () => undefined;
    return rest.length === 0 ? (entry) => read(entry, context) : (entry) => valueAt(read(entry, context), rest);
  }

  #statsContext(): StreamStatsContext {
    const { clock, stats } = this.#context;
    return { nowMs: clock.now(), rates: (entry) => stats.rates(entry) };
  }

  #written({ name, isConfigured }: StreamEntry): JsonObject | undefined {
    return isConfigured ? writtenSettings(this.#context.configuration.document, 'streams', name) : undefined;
  }
}

function inputsJson(entry: StreamEntry, { nowMs }: StreamStatsContext): StreamInputs {
  const { status } = entry;
  const shown = settingsInputsJson({ inputs: entry.inputs, sourceTimeoutMs: entry.settings.sourceTimeoutMs });
  return shown.map((input, index): StreamInputs[number] => {
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
    } as StreamInputs[number];
  });
}

function namedBy({ isConfigured }: StreamEntry): 'config' | 'user' {
  return isConfigured ? 'config' : 'user';
}

/**
 * Whether a stream runs permanently. The stream of a publisher starts and ends with its connection, whatever its template
 * requires.
 */
function isStatic({ isConfigured, settings }: StreamEntry): boolean {
  return isConfigured && settings.isStatic;
}

function effective(config: Config, entry: StreamEntry): StreamFacts['effective'] {
  const section = entry.isConfigured
    ? 'stream'
    : config.livePrefixes.has((entry.settings as Partial<TemplateConfig>).name ?? '')
      ? 'live'
      : 'template';
  return { name: entry.name, position: positionOf(entry), section, static: isStatic(entry) };
}

/**
 * Configured position of a stream. A position that depends on other streams would change with them, and would invalidate
 * cursors.
 */
function positionOf({ settings }: StreamEntry): number {
  return settings.position ?? 0;
}
