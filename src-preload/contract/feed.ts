import { z } from 'zod';
import type { ErrorValue } from './errors.ts';

/** Initial credit of a feed: maximum number of frames that were sent and not yet acknowledged. */
export const FEED_CREDIT = 24;
/** Maximum number of feeds of one desk at the same time: more than a wall has tiles. */
export const FEEDS_MAX = 64;

const feedId = z.number().int().min(0).max(0xffff_ffff).describe('number of the feed, chosen by the desk');
const pixels = z.number().int().min(1).max(16_384).describe('size of the tile in screen pixels');

/** Messages of a desk about the media of its tiles. */
export const FEED_MESSAGES = [
  z.object({
    kind: z.literal('feed-open'),
    feed: feedId,
    name: z.string().max(1000).describe('the stream'),
    width: pixels,
    height: pixels,
  }),
  z.object({
    kind: z.literal('feed-credit'),
    feed: feedId,
    count: z.number().int().min(1).max(FEED_CREDIT).describe('number of frames that the tile has consumed'),
  }),
  z.object({ kind: z.literal('feed-close'), feed: feedId }),
] as const;
/** Message of a desk about a feed. */
export const feedMessageSchema = z.discriminatedUnion('kind', FEED_MESSAGES);
/** Message of a desk about a feed. */
export type FeedMessage = z.infer<typeof feedMessageSchema>;

/** State of a feed as the server reports it: its tracks at the start, or the reason of a refusal. */
export type FeedState =
  | { readonly state: 'begin'; readonly tracks: readonly string[] }
  | { readonly state: 'refused'; readonly error: ErrorValue };

/** Header of a frame. */
export interface FeedHead {
  readonly kind: 'init' | 'part';
  readonly feed: number;
  /** Index of the track in the `tracks` of the feed. */
  readonly track: number;
  /** Whether decoding can start with this frame. */
  readonly isIndependent: boolean;
  /** Whether earlier media is missing. */
  readonly isGap: boolean;
  /** Start of the media in epoch milliseconds; 0 for an init segment. */
  readonly startMs: number;
  /** Media type with codecs, of an init segment; empty for a part. */
  readonly mediaType: string;
}

/** Parsed frame. */
export interface FeedFrame extends FeedHead {
  /** CMAF: an init segment or one chunk. */
  readonly media: Uint8Array<ArrayBuffer>;
}

const VERSION = 1;
const FIXED_BYTES = 16;
const INIT = 1;
const INDEPENDENT = 2;
const GAP = 4;
const FEED_AT = 4;
const TYPE_MAX = 255;

/** Writes the header of a frame: version, flags, track, length of the media type, feed, start, media type. */
export function writeFeedHead(head: FeedHead): Uint8Array<ArrayBuffer> {
  const type = head.mediaType.slice(0, TYPE_MAX);
  const bytes = new Uint8Array(FIXED_BYTES + type.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, VERSION);
  view.setUint8(1, (head.kind === 'init' ? INIT : 0) | (head.isIndependent ? INDEPENDENT : 0) | (head.isGap ? GAP : 0));
  view.setUint8(2, head.track);
  view.setUint8(3, type.length);
  view.setUint32(FEED_AT, head.feed);
  view.setFloat64(8, head.startMs);
  for (let index = 0; index < type.length; index++) bytes[FIXED_BYTES + index] = type.charCodeAt(index) & 0x7f;
  return bytes;
}

/** Reads a frame without copying its media; undefined if the bytes are not a frame. */
export function readFeedFrame(bytes: ArrayBuffer): FeedFrame | undefined {
  if (bytes.byteLength < FIXED_BYTES) return undefined;
  const view = new DataView(bytes);
  const flags = view.getUint8(1);
  const startMs = view.getFloat64(8);
  const mediaAt = FIXED_BYTES + view.getUint8(3);
  if (view.getUint8(0) !== VERSION || flags > 7 || mediaAt > bytes.byteLength || !Number.isFinite(startMs))
    return undefined;
  return {
    kind: (flags & INIT) === 0 ? 'part' : 'init',
    feed: view.getUint32(FEED_AT),
    track: view.getUint8(2),
    isIndependent: (flags & INDEPENDENT) !== 0,
    isGap: (flags & GAP) !== 0,
    startMs,
    mediaType: String.fromCharCode(...new Uint8Array(bytes, FIXED_BYTES, mediaAt - FIXED_BYTES)),
    media: new Uint8Array(bytes, mediaAt),
  };
}

/** Feed number of a frame; undefined if the bytes are not a frame. */
export function readFeedNumber(bytes: ArrayBuffer): number | undefined {
  return bytes.byteLength < FIXED_BYTES ? undefined : new DataView(bytes).getUint32(FEED_AT);
}

/** Overwrites the feed number of a frame. */
export function writeFeedNumber(bytes: ArrayBuffer, feed: number): void {
  new DataView(bytes).setUint32(FEED_AT, feed);
}
