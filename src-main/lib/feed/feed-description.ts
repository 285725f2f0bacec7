import { explanationSchema } from '../../../src-preload/contract/explanations/explanation-schema.ts';
import type { Explained } from '../../../src-preload/contract/explanations/explanations.ts';

/** One elementary stream of a feed, as described by its container. */
export interface FeedStream {
  readonly index: number;
  readonly content: 'video' | 'audio' | 'other';
  /** Name of the codec in FFmpeg: `h264`, `hevc`, `aac`, `mp3`, `mp2`, `ac3`, `eac3`, `opus` … */
  readonly codec: string;
  /** Decoder configuration of the container (`extradata`); empty if there is none. */
  readonly config: Uint8Array;
  /** Sample rate in Hz; 0 if it is unknown. */
  readonly sampleRate: number;
  readonly channels: number;
  /** ISO 639 language, if the container has one. */
  readonly language?: string;
}

/** All elementary streams of a feed. */
export interface FeedDescription {
  /** Name of the container or protocol in FFmpeg. */
  readonly format: string;
  /** True if more streams may be found later, because the container does not list them at its start. */
  readonly isOpen: boolean;
  readonly streams: readonly FeedStream[];
  /** Duration of a file in milliseconds, if its header has one. */
  readonly durationMs?: number;
}

/** Reason for the end of a feed, with a code of the error catalogue. */
export interface FeedEnd extends Explained {
  readonly code: string;
}

const MAX_STREAMS = 64;
const MAX_CONFIG_BYTES = 64 * 1024;

/** Prints a description as the data of a record. */
export function printFeedDescription({ format, isOpen, streams, durationMs }: FeedDescription): Buffer {
  const carried = streams
    .slice(0, MAX_STREAMS)
    .map((stream) => ({ ...stream, config: Buffer.from(stream.config).toString('base64') }));
  return Buffer.from(JSON.stringify({ format, isOpen, streams: carried, durationMs }));
}

/** Parses the data of a record; undefined if it is not a description. */
export function parseFeedDescription(data: Buffer): FeedDescription | undefined {
  const value = parseObject(data);
  if (!value || !Array.isArray(value['streams']) || value['streams'].length > MAX_STREAMS) return undefined;
  const streams = value['streams'].map(streamOf);
  const read = streams.filter((stream) => stream !== undefined);
  if (read.length < streams.length) return undefined;
  const durationMs = numberOf(value['durationMs']);
  return {
    format: textOf(value['format']),
    isOpen: value['isOpen'] === true,
    streams: read,
    ...(durationMs > 0 ? { durationMs } : {}),
  };
}

/** Prints the end of a feed as the data of a record. */
export function printFeedEnd({ code, detail, explanation }: FeedEnd): Buffer {
  return Buffer.from(JSON.stringify({ code, detail, explanation }));
}

/** Parses the data of a record; undefined if it is not the end of a feed. */
export function parseFeedEnd(data: Buffer): FeedEnd | undefined {
  const value = parseObject(data);
  if (typeof value?.['code'] !== 'string') return undefined;
  const { data: explanation } = explanationSchema.safeParse(value['explanation']);
  return { code: value['code'], detail: textOf(value['detail']), ...(explanation ? { explanation } : {}) };
}

function streamOf(value: unknown): FeedStream | undefined {
  if (!isObject(value)) return undefined;
  const { index, content, language } = value;
  const config = Buffer.from(textOf(value['config']), 'base64');
  if (typeof index !== 'number' || config.length > MAX_CONFIG_BYTES) return undefined;
  return {
    index,
    content: content === 'video' || content === 'audio' ? content : 'other',
    codec: textOf(value['codec']),
    config,
    sampleRate: numberOf(value['sampleRate']),
    channels: numberOf(value['channels']),
    ...(typeof language === 'string' ? { language } : {}),
  };
}

function parseObject(data: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(data.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 100_000) : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
