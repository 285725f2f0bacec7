import { AttributeList } from './attribute-list.ts';
import { LINES_PER_STEP, ownCopy } from './playlist-lines.ts';
import type { PlaylistVariables } from './playlist-variables.ts';

/** Maximum number of variants and renditions of a playlist. */
const MAX_ENTRIES = 1000;

/** EXT-X-STREAM-INF (RFC 8216bis 4.4.6.2): variant of the presentation. */
export interface Variant {
  /** Address of its media playlist, as written. */
  readonly uri: string;
  /** BANDWIDTH: maximum bits per second; 0 if missing. */
  readonly bandwidth: number;
  /** CODECS: required codecs by RFC 6381; absent if not stated. */
  readonly codecs?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly frameRate?: number;
  /** GROUP-ID of its audio renditions. */
  readonly audioGroup?: string;
}

/** EXT-X-MEDIA (RFC 8216bis 4.4.6.1): an alternative rendition. */
export interface Rendition {
  /** AUDIO, VIDEO, SUBTITLES or CLOSED-CAPTIONS. */
  readonly type: string;
  readonly groupId: string;
  readonly name: string;
  /** BCP 47. */
  readonly language?: string;
  readonly isDefault: boolean;
  readonly isAutoselect: boolean;
  /** Absent if the rendition is inside the variant. */
  readonly uri?: string;
}

/** A multivariant playlist. */
export interface MultivariantPlaylist {
  readonly kind: 'multivariant';
  readonly variants: readonly Variant[];
  readonly renditions: readonly Rendition[];
  /** Values of EXT-X-DEFINE, which media playlists may import. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Parses the lines of a multivariant playlist. */
export function* parseMultivariant(
  lines: readonly string[],
  variables: PlaylistVariables,
): Generator<void, MultivariantPlaylist> {
  const variants: Variant[] = [];
  const renditions: Rendition[] = [];
  let pending: AttributeList | undefined;
  for (const [index, line] of lines.entries()) {
    if (index % LINES_PER_STEP === 0) yield;
    if (!line.startsWith('#')) {
      if (pending && variants.length < MAX_ENTRIES) variants.push(variantOf(pending, ownCopy(variables.replace(line))));
      pending = undefined;
    } else if (line.startsWith('#EXT-X-STREAM-INF:')) {
      pending = attributesOf(line, variables);
    } else if (line.startsWith('#EXT-X-MEDIA:')) {
      const rendition = renditionOf(attributesOf(line, variables));
      if (rendition && renditions.length < MAX_ENTRIES) renditions.push(rendition);
    } else if (line.startsWith('#EXT-X-DEFINE:')) {
      variables.define(attributesOf(line, variables));
    }
  }
  return { kind: 'multivariant', variants, renditions, variables: variables.values };
}

function attributesOf(line: string, variables: PlaylistVariables): AttributeList {
  return AttributeList.parse(variables.replace(line.slice(line.indexOf(':') + 1)));
}

function variantOf(attributes: AttributeList, uri: string): Variant {
  const codecs = attributes
    .text('CODECS')
    ?.split(',')
    .map((codec) => codec.trim())
    .filter((codec) => codec !== '');
  const frameRate = attributes.decimal('FRAME-RATE');
  const audioGroup = attributes.text('AUDIO');
  return {
    uri,
    bandwidth: attributes.integer('BANDWIDTH') ?? 0,
    ...attributes.resolution('RESOLUTION'),
    ...(codecs === undefined ? {} : { codecs }),
    ...(frameRate === undefined ? {} : { frameRate }),
    ...(audioGroup === undefined ? {} : { audioGroup }),
  };
}

function renditionOf(attributes: AttributeList): Rendition | undefined {
  const type = attributes.text('TYPE');
  const groupId = attributes.text('GROUP-ID');
  if (type === undefined || groupId === undefined) return undefined;
  const language = attributes.text('LANGUAGE');
  const uri = attributes.text('URI');
  const isDefault = attributes.isYes('DEFAULT');
  return {
    type,
    groupId,
    name: attributes.text('NAME') ?? '',
    isDefault,
    isAutoselect: isDefault || attributes.isYes('AUTOSELECT'),
    ...(language === undefined ? {} : { language }),
    ...(uri === undefined ? {} : { uri }),
  };
}
