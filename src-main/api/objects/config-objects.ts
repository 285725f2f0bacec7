import { z } from 'zod';
import { integerOrNull, READ_ONLY } from '../../../src-preload/contract/api/api-parts.ts';
import { dvrFactsShape } from '../../../src-preload/contract/api/dvr-object.ts';
import { eventSinkStateSchema } from '../../../src-preload/contract/api/sink-state.ts';
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
import { objectShape } from '../../config/schema/object-shape.ts';
import { shownJson, tableJson } from '../../config/schema/table.ts';
import type { JsonValue } from '../../config/schema/value-schema.ts';
import type { JsonObject } from './object-source.ts';
import { settingsInputsJson, settingsJson } from './settings-json.ts';

/** Collections whose objects are blocks of the configuration. */
export type BlockCollection =
  'templates' | 'api_tokens' | 'vods' | 'dvrs' | 'auth_backends' | 'event_sinks' | 'peers' | 'sources';

/** Blocks of one kind, and the differences between their API objects and their table. */
interface BlockKind {
  readonly table: SettingTable;
  readonly blocks: (config: Config) => ReadonlyMap<string, { readonly name: string }>;
  /** Description of the field with the name of the block. */
  readonly about: string;
  /** Name of this field; default `name`. */
  readonly key?: string;
  /** Fields that are not settings. */
  readonly others?: Readonly<Record<string, z.ZodType>>;
  /** Fields that every object has, even if the block does not set them. */
  readonly defaults?: JsonObject;
  /** Object of an item of a list, by the name of the list. */
  readonly items?: Readonly<Record<string, (item: JsonValue) => JsonObject>>;
}

/** Placeholder for measurements that do not exist yet. */
const NO_STATS = { stats: null } as const;

const BLOCKS: Readonly<Record<Exclude<BlockCollection, 'templates'>, BlockKind>> = {
  vods: {
    table: VOD,
    blocks: ({ vods }) => vods,
    key: 'prefix',
    about: 'unique; first part of the addresses of its files',
    defaults: { position: 0, storages: [] },
    items: { storages: (url) => ({ url }) },
  },
  dvrs: {
    table: DVR,
    blocks: ({ dvrs }) => dvrs,
    about: 'unique; streams refer to it as @name',
    others: dvrFactsShape,
    defaults: { disks: [], ...NO_STATS },
    items: { disks: (disk) => ({ ...(disk as JsonObject), ...NO_STATS }) },
  },
  api_tokens: {
    table: API_TOKEN,
    blocks: ({ apiTokens }) => apiTokens,
    about: 'unique; the last part of its address',
    others: { last_used_at: integerOrNull('epoch milliseconds; null if never used').meta(READ_ONLY) },
  },
  auth_backends: {
    table: AUTH_BACKEND,
    blocks: ({ authBackends }) => authBackends,
    about: 'unique; addresses refer to it as auth://name',
    defaults: { backends: [] },
  },
  event_sinks: {
    table: EVENT_SINK,
    blocks: ({ eventSinks }) => eventSinks,
    about: 'unique; the last part of its address',
    others: {
      stats: eventSinkStateSchema
        .omit({ name: true })
        .nullable()
        .meta({ ...READ_ONLY, description: 'state of the sink; null if it does not run' }),
    },
    defaults: NO_STATS,
  },
  peers: {
    table: PEER,
    blocks: ({ peers }) => peers,
    key: 'hostname',
    about: 'host name of the peer, its key',
    others: unmeasured('state reported by the peer; null in this version'),
    defaults: NO_STATS,
  },
  sources: {
    table: SOURCE,
    blocks: ({ sources }) => sources,
    key: 'url',
    about: 'URL of the server, its key',
    others: unmeasured('null in this version'),
    defaults: NO_STATS,
  },
};

export function blockSchema(collection: Exclude<BlockCollection, 'templates'>): z.ZodObject {
  const { table, about, others = {}, defaults = {} } = BLOCKS[collection];
  return z.object({
    [blockKey(collection)]: z.string().meta({ ...READ_ONLY, description: about }),
    ...objectShape(table, Object.keys(defaults)),
    ...others,
  });
}

/** Gateway through which agents at cameras connect. */
export const rproxySchema = z.object({
  ...objectShape(RPROXY, ['forward_ports']),
  ...unmeasured('its agents; null in this version'),
});

function unmeasured(description: string): { readonly stats: z.ZodType } {
  return { stats: z.null().meta({ ...READ_ONLY, description }) };
}

const KNOWN = new WeakMap<Config, Map<BlockCollection, readonly JsonObject[]>>();

/** Objects of a collection of the configuration, with defaults; fields without a value are left out. Secrets are masked. */
export function blockObjects(config: Config, collection: BlockCollection): readonly JsonObject[] {
  let objectsByCollection = KNOWN.get(config);
  if (!objectsByCollection)
    KNOWN.set(config, (objectsByCollection = new Map<BlockCollection, readonly JsonObject[]>()));
  let objects = objectsByCollection.get(collection);
  if (!objects) objectsByCollection.set(collection, (objects = readBlocks(config, collection)));
  return objects;
}

/** Gateway for agents, configured or not. */
export function rproxyObject({ rproxy }: Config): JsonObject {
  return { forward_ports: [], ...(rproxy ? shownJson(RPROXY, rproxy) : {}), ...NO_STATS };
}

/** Storage of clips; undefined if none is configured. */
export function fileProcessorObject({ fileProcessor }: Config): JsonObject | undefined {
  return typeof fileProcessor?.path !== 'string' ? undefined : shownJson(FILE_PROCESSOR, fileProcessor);
}

/** Values written in a block, as JSON. A reset removes them. */
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

/** Field that identifies the objects of a collection. */
export function blockKey(collection: BlockCollection): string {
  return (collection === 'templates' ? undefined : BLOCKS[collection].key) ?? 'name';
}

function readBlocks(config: Config, collection: BlockCollection): JsonObject[] {
  if (collection === 'templates') return [...config.templates.values()].map(templateObject);
  const { table, blocks, defaults = {}, items = {} } = BLOCKS[collection];
  return [...blocks(config).values()].map((block) => {
    const object = { ...defaults, ...shownJson(table, block), [blockKey(collection)]: block.name };
    const lists = Object.entries(items).map(([name, item]) => [name, (object[name] as readonly JsonValue[]).map(item)]);
    return { ...object, ...Object.fromEntries(lists) } as JsonObject;
  });
}

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
