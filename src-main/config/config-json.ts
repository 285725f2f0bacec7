import type {
  Config,
  InputConfig,
  PassthroughDirective,
  StreamConfig,
  StreamSettings,
  TemplateConfig,
} from './schema/config.ts';
import { FILE_SETTINGS } from './schema/file-settings.ts';
import { FRAMES_TIMEOUT_MS } from './parse/map-block.ts';
import { isSecretKey, MASK, maskAddress, masked } from './schema/secrets.ts';
import { SETTINGS_OF_STREAM, SETTINGS_OF_TEMPLATE, SOURCE_TIMEOUT_MS } from './schema/stream-settings.ts';
import { tableJson } from './schema/table.ts';
import { isObject, type JsonValue } from './schema/value-schema.ts';

export interface ConfigJsonOptions {
  /** Key of the inputs of a stream: `urls` in the legacy API, `inputs` in the newer ones. */
  readonly inputsKey: 'urls' | 'inputs';
  /** Whether defaults and inherited values are included. */
  readonly isFull?: boolean;
  /** Top-level directives in the text, which are included even if they equal the default. */
  readonly written?: ReadonlySet<string>;
  /** Whether streams that run permanently are left out. */
  readonly skipsStatic?: boolean;
  /** Returns additional fields of each stream. */
  readonly more?: (name: string) => Readonly<Record<string, JsonValue>>;
}

type Json = Readonly<Record<string, JsonValue>>;

/** Directives with one port as a number and several as a list. */
const PORTS = ['rtmp', 'rtmps', 'rtsp', 'srt', 'snmp', 'mysql'];

/**
 * Configuration as JSON text, in short pieces; secrets are masked.
 *
 * @param more receives the settings of the server and returns additional facts
 */
export function* configJsonTexts(
  config: Config,
  options: ConfigJsonOptions,
  more: (settings: Json) => Json = () => ({}),
): Generator<string, void> {
  const { isFull = false, skipsStatic = false, written } = options;
  const { livePrefixes, templates, streams } = config;
  const server = serverJson(config, isFull, written);
  const settings = JSON.stringify({ ...server, ...more(server) }).slice(0, -1);
  yield settings === '{' ? settings : `${settings},`;
  yield* collectionTexts('lives', livePrefixes.values(), (live) => liveJson(config, live, isFull));
  yield ',';
  if (isFull || templates.size > 0) {
    yield* collectionTexts('templates', templates.values(), (one) => templateJson(config, one, isFull));
    yield ',';
  }
  yield* collectionTexts('streams', streams.values(), (stream) =>
    skipsStatic && stream.isStatic ? undefined : streamJson(config, stream, options),
  );
  yield '}';
}

/** @param json JSON of an item; undefined if it is left out */
function* collectionTexts<T extends { readonly name: string }>(
  key: string,
  items: Iterable<T>,
  json: (item: T) => Json | undefined,
): Generator<string, void> {
  yield `"${key}":{`;
  let comma = '';
  for (const item of items) {
    const shown = json(item);
    if (shown === undefined) continue;
    yield `${comma}${JSON.stringify(item.name)}:${JSON.stringify(shown)}`;
    comma = ',';
  }
  yield '}';
}

/** Settings of the server itself. */
export function serverJson(config: Config, isFull = false, written?: ReadonlySet<string>): Json {
  const json = tableJson(FILE_SETTINGS, config, isFull, written);
  for (const key of PORTS) {
    const ports = json[key];
    if (Array.isArray(ports) && ports.length === 1) json[key] = (ports as readonly JsonValue[])[0] ?? null;
  }
  return { ...json, ...passthroughJson(config.passthrough) };
}

export function streamJson(
  config: Config,
  stream: StreamConfig,
  { inputsKey, isFull = false, more }: ConfigJsonOptions,
): Json {
  return {
    name: stream.name,
    position: stream.position ?? 0,
    static: stream.isStatic,
    [inputsKey]: stream.inputs.map((input, index) => inputJson(input, index, stream)),
    ...settingsJson(config, stream, isFull),
    ...(more?.(stream.name) ?? {}),
  };
}

export function liveJson(config: Config, live: TemplateConfig, isFull = false): Json {
  return {
    prefix: live.name,
    position: live.position ?? 0,
    static: live.isStatic,
    ...inputsOf(live),
    ...settingsJson(config, live, isFull),
    publish_enabled: live.isPublishAllowed,
  };
}

export function templateJson(config: Config, template: TemplateConfig, isFull = false): Json {
  return {
    name: template.name,
    prefixes: [...template.prefixes],
    ...inputsOf(template),
    ...settingsJson(config, template, isFull),
    publish_enabled: template.isPublishAllowed,
  };
}

function inputsOf(settings: StreamSettings): Json {
  return settings.inputs.length > 0
    ? { inputs: settings.inputs.map((input, index) => inputJson(input, index, settings)) }
    : {};
}

/** Settings of a table, with inherited ones of the server, without settings that are converted separately. */
function settingsJson(config: Config, settings: StreamSettings, isFull: boolean): Json {
  const {
    inputs: _inputs,
    position: _position,
    static: _static,
    prefixes: _prefixes,
    ...json
  } = tableJson(TABLE, settings, isFull);
  return {
    ...json,
    ...passthroughJson(settings.passthrough),
    ...(settings.auth
      ? { auth: { ...(isObject(json['auth']) ? json['auth'] : {}), url_global: false } }
      : config.auth
        ? { auth: { url: config.auth.url === false ? false : maskAddress(config.auth.url), url_global: true } }
        : {}),
    ...(settings.clusterKey !== null
      ? { cluster_key: MASK, cluster_key_global: false }
      : config.clusterKey !== null
        ? { cluster_key: MASK, cluster_key_global: true }
        : {}),
  };
}

const TABLE = { ...SETTINGS_OF_TEMPLATE, ...SETTINGS_OF_STREAM };

/** Input, without values that follow from its position or its stream. */
function inputJson(input: InputConfig, index: number, settings: StreamSettings): JsonValue {
  return {
    url: maskAddress(input.url),
    ...(input.priority === index + 1 ? {} : { priority: input.priority }),
    ...inputTimeoutsJson(input, settings),
    ...inputOptionsJson(input),
  };
}

/** Timeouts of an input in seconds, without timeouts that its stream already has. */
export function inputTimeoutsJson(
  { framesTimeoutMs, sourceTimeoutMs }: InputConfig,
  settings: Pick<StreamSettings, 'sourceTimeoutMs'>,
): Readonly<Record<string, number>> {
  const isSet = sourceTimeoutMs !== settings.sourceTimeoutMs || settings.sourceTimeoutMs !== SOURCE_TIMEOUT_MS;
  const defaultMs = isSet ? sourceTimeoutMs : Math.min(FRAMES_TIMEOUT_MS, sourceTimeoutMs);
  return {
    ...(framesTimeoutMs === defaultMs ? {} : { frames_timeout: framesTimeoutMs / 1000 }),
    ...(sourceTimeoutMs === settings.sourceTimeoutMs ? {} : { source_timeout: sourceTimeoutMs / 1000 }),
  };
}

/** Options of an input; secrets are masked. */
export function inputOptionsJson({ options }: InputConfig): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(options).map(([key, value]) => [key, masked(value, isSecretKey(key))]));
}

/** Directives that are kept as written: blocks as objects, several directives of one name as a list. */
function passthroughJson(passthrough: readonly PassthroughDirective[]): Json {
  const json: Record<string, JsonValue> = {};
  for (const directive of passthrough) {
    const value = directiveJson(directive);
    const before = json[directive.name];
    if (before === undefined) json[directive.name] = value;
    else json[directive.name] = Array.isArray(before) ? [...(before as readonly JsonValue[]), value] : [before, value];
  }
  return json;
}

function directiveJson({ name, args, options, block }: PassthroughDirective): JsonValue {
  const maskedArgs = args.map((word) => masked(word, isSecretKey(name)));
  const [first = true] = maskedArgs;
  if (block) return maskedArgs.length > 0 ? { [maskedArgs.join(' ')]: passthroughJson(block) } : passthroughJson(block);
  if (options.length > 0)
    return {
      ...(maskedArgs.length > 0 ? { value: maskedArgs.join(' ') } : {}),
      ...Object.fromEntries(options.map(([key, value]) => [key, masked(value, isSecretKey(key))])),
    };
  return maskedArgs.length > 1 ? maskedArgs : first;
}
