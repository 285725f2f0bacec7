import type { ConfigDocument } from '../../config/document.ts';
import type { StreamBlock } from '../../config/parse/stream-block.ts';
import { SETTINGS_OF_STREAM, SETTINGS_OF_TEMPLATE, STREAM_FALLBACKS } from '../../config/schema/stream-settings.ts';
import { jsonName, readTable, settingJson } from '../../config/schema/table.ts';
import type { JsonValue } from '../../config/schema/value-schema.ts';
import type { JsonObject } from './object-source.ts';

/** Collections whose objects are streams, or settings for streams. */
export type StreamCollection = 'streams' | 'templates';

const KINDS = { streams: 'stream', templates: 'template' } as const;
const BLOCKS = new WeakMap<ConfigDocument, ReadonlyMap<string, StreamBlock>>();
const WRITTEN = new WeakMap<StreamBlock, JsonObject>();

/**
 * Values written in the block of a stream or template, without values of its template and defaults; undefined if it has no
 * block. Secrets are masked.
 */
export function writtenSettings(
  document: ConfigDocument,
  collection: StreamCollection,
  name: string,
): JsonObject | undefined {
  const block = blocksOf(document).get(`${KINDS[collection]} ${name}`);
  if (!block) return undefined;
  const cached = WRITTEN.get(block);
  if (cached) return cached;
  const json = readWritten(block);
  WRITTEN.set(block, json);
  return json;
}

function readWritten(block: StreamBlock): JsonObject {
  const table = block.kind === 'stream' ? SETTINGS_OF_STREAM : SETTINGS_OF_TEMPLATE;
  const fallbacks = block.kind === 'stream' ? STREAM_FALLBACKS.stream : STREAM_FALLBACKS.template;
  const { raw } = block.reading;
  // Both tables contain the settings of streams, with the same defaults.
  const values = readTable(table, fallbacks as never, raw).values as Readonly<Record<string, unknown>>;
  const json: Record<string, JsonValue> = {};
  for (const [key, setting] of Object.entries(table))
    if (Object.hasOwn(raw, key)) json[jsonName(setting)] = settingJson(setting, values[key]);
  return json;
}

function blocksOf(document: ConfigDocument): ReadonlyMap<string, StreamBlock> {
  let blocks = BLOCKS.get(document);
  if (!blocks) {
    blocks = new Map(
      (document.textBlocks ?? []).flatMap((textBlock) =>
        textBlock.blocks.map((block) => [`${block.kind} ${block.name ?? ''}`, block] as const),
      ),
    );
    BLOCKS.set(document, blocks);
  }
  return blocks;
}
