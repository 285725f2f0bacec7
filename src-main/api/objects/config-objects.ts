import {
  API_TOKEN,
  AUTH_BACKEND,
  DVR,
  EVENT_SINK,
  FILE_PROCESSOR,
  PEER,
  RPROXY,
  SOURCE,
  VOD,
} from '../../config/schema/block-tables.ts';
import type { Config, TemplateConfig } from '../../config/schema/config.ts';
import type { SettingTable } from '../../config/schema/directive.ts';
import { maskAddress } from '../../config/schema/secrets.ts';
import { jsonName, settingJson, tableJson } from '../../config/schema/table.ts';
import type { JsonValue } from '../../config/schema/value-schema.ts';
import type { JsonObject } from './object-source.ts';
import { settingsInputsJson, settingsJson } from './settings-json.ts';

/** Collections whose objects are blocks of the configuration. */
export type BlockCollection =
  'templates' | 'api_tokens' | 'vods' | 'dvrs' | 'auth_backends' | 'event_sinks' | 'peers' | 'sources';

/** Placeholder for figures that are not measured yet. */
const NO_STATS = { stats: null } as const;

const READERS: Readonly<Record<BlockCollection, (config: Config) => JsonObject[]>> = {
  templates: ({ templates }) => [...templates.values()].map(templateObject),
  vods: ({ vods }) =>
    [...vods.values()].map((vod) => ({
      ...blockJson(VOD, vod),
      prefix: vod.name,
      position: vod.position ?? 0,
      storages: vod.storages.map((url) => ({ url: maskAddress(url) })),
    })),
  dvrs: ({ dvrs }) =>
    [...dvrs.values()].map((dvr) => ({
      disks: [],
      ...blockJson(DVR, dvr),
      ...withDiskStats(dvr),
      name: dvr.name,
      ...NO_STATS,
    })),
  api_tokens: ({ apiTokens }) =>
    [...apiTokens.values()].map((token) => ({ ...blockJson(API_TOKEN, token), name: token.name })),
  auth_backends: ({ authBackends }) =>
    [...authBackends.values()].map((backend) => ({
      backends: [],
      ...blockJson(AUTH_BACKEND, backend),
      name: backend.name,
    })),
  event_sinks: ({ eventSinks }) =>
    [...eventSinks.values()].map((sink) => ({ ...blockJson(EVENT_SINK, sink), name: sink.name, ...NO_STATS })),
  peers: ({ peers }) =>
    [...peers.values()].map((peer) => ({ ...blockJson(PEER, peer), hostname: peer.name, ...NO_STATS })),
  sources: ({ sources }) =>
    [...sources.values()].map((source) => ({ ...blockJson(SOURCE, source), url: source.name, ...NO_STATS })),
};

const KNOWN = new WeakMap<Config, Map<BlockCollection, readonly JsonObject[]>>();

/** Objects of a collection of the configuration, with defaults; fields without a value are left out. Secrets are masked. */
export function blockObjects(config: Config, collection: BlockCollection): readonly JsonObject[] {
  let objectsByCollection = KNOWN.get(config);
  if (!objectsByCollection)
    KNOWN.set(config, (objectsByCollection = new Map<BlockCollection, readonly JsonObject[]>()));
  let objects = objectsByCollection.get(collection);
  if (!objects) objectsByCollection.set(collection, (objects = READERS[collection](config)));
  return objects;
}

/** Gateway for agents, configured or not. */
export function rproxyObject({ rproxy }: Config): JsonObject {
  return { forward_ports: [], ...(rproxy ? blockJson(RPROXY, rproxy) : {}), ...NO_STATS };
}

/** Storage of clips; undefined if none is configured. */
export function fileProcessorObject({ fileProcessor }: Config): JsonObject | undefined {
  return typeof fileProcessor?.path !== 'string' ? undefined : blockJson(FILE_PROCESSOR, fileProcessor);
}

/** Values written in a block, as JSON: a reset removes them. */
export function writtenBlock(
  config: Config,
  collection: Exclude<BlockCollection, 'templates'>,
  name: string,
): JsonObject | undefined {
  const { table, blocks } = BLOCKS[collection];
  const block = blocks(config).get(name);
  return block ? tableJson(table, block) : undefined;
}

/** Effective settings of a block, with secrets: for comparison, not for display. */
export function blockSettings(config: Config, collection: BlockCollection, name: string): object | undefined {
  return (collection === 'templates' ? config.templates : BLOCKS[collection].blocks(config)).get(name);
}

const BLOCKS: Readonly<
  Record<
    Exclude<BlockCollection, 'templates'>,
    { readonly table: SettingTable; readonly blocks: (config: Config) => ReadonlyMap<string, object> }
  >
> = {
  vods: { table: VOD, blocks: ({ vods }) => vods },
  dvrs: { table: DVR, blocks: ({ dvrs }) => dvrs },
  api_tokens: { table: API_TOKEN, blocks: ({ apiTokens }) => apiTokens },
  auth_backends: { table: AUTH_BACKEND, blocks: ({ authBackends }) => authBackends },
  event_sinks: { table: EVENT_SINK, blocks: ({ eventSinks }) => eventSinks },
  peers: { table: PEER, blocks: ({ peers }) => peers },
  sources: { table: SOURCE, blocks: ({ sources }) => sources },
};

function templateObject(template: TemplateConfig): JsonObject {
  return {
    ...settingsJson(template),
    static: template.isStatic,
    name: template.name,
    position: template.position ?? 0,
    prefixes: [...template.prefixes],
    inputs: settingsInputsJson(template),
  };
}

function withDiskStats({
  disks,
}: {
  readonly disks: readonly { readonly path: string; readonly mode: string | null }[];
}): JsonObject {
  return {
    disks: disks.map(({ path, mode }) => ({
      path: maskAddress(path),
      ...(mode === null ? {} : { mode }),
      stats: null,
    })),
  };
}

function blockJson(table: SettingTable, values: object): JsonObject {
  const json: Record<string, JsonValue> = {};
  for (const [key, setting] of Object.entries(table)) {
    // Values of a block are found by their name in the table.
    const value = (values as Readonly<Record<string, unknown>>)[key];
    if (value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0))
      json[jsonName(setting)] = settingJson(setting, value);
  }
  return json;
}
