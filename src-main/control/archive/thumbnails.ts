import type { MadeThumbnails, ThumbnailPort, ThumbnailRefusal } from '../../delivery/answers/thumbnail-answers.ts';
import type { ThumbnailForm } from '../../delivery/media-address.ts';
import type { Recorded, RecordedRequest } from '../../delivery/recorded.ts';
import type { StreamOutput } from '../../delivery/stream-output.ts';
import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';
import type { Clock } from '../../lib/clock.ts';
import { keyFrameAt, type WindowKeyFrame } from '../../packaging/mp4/key-frame.ts';
import { keyFrameFile } from '../../packaging/mp4/key-frame-file.ts';
import { COLUMNS, ROWS, spriteSeconds, stepOf, TILE_HEIGHT, TILE_WIDTH } from '../../packaging/thumbnail-tiles.ts';
import { listThumbnails } from './thumbnail-list.ts';

/** Creates one JPEG of key frames, row by row, in a codec process. */
export type MakeSprite = (input: {
  readonly frames: readonly ({
    readonly codec: 'h264' | 'h265';
    readonly decoderConfig: Uint8Array;
    readonly data: Uint8Array;
  } | null)[];
  readonly columns: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
}) => Promise<Uint8Array>;

export interface ThumbnailsOptions {
  readonly clock: Clock;
  readonly recorded: Recorded;
  /** Lists the recorded ranges of a stream between two times. */
  readonly ranges: (
    stream: string,
    time: TimeRange,
    limit: number,
  ) => Promise<{ readonly ranges: readonly TimeRange[] }>;
  readonly makeSprite: MakeSprite;
  /**
   * Newest key frame of a stream, or a key frame of a film: at a time since its start, or an early one. Undefined if there is
   * none; `no-film` if a time is given for a stream.
   */
  readonly keyFrame: (stream: string, filmSeconds: number | undefined) => WindowKeyFrame | 'no-film' | undefined;
}

/** Maximum size of the sprite cache, in bytes. */
const MAX_KEPT_BYTES = 32 << 20;
/**
 * Maximum number of sprites that are waiting or being created. Further requests are refused. Sprites are created one at a time,
 * so that pictures for viewers do not wait for them.
 */
const MAX_WAITING = 24;
/** Maximum size of all key frames of a sprite, in bytes. Tiles above it stay black. */
const MAX_FRAME_BYTES = 48 << 20;
/** Delay after which live media is on disk, in milliseconds. */
const SETTLED_MS = 20_000;
const DAY_SECONDS = 86_400;
const MAX_RANGES = 2000;

/** Thumbnails of archives, created on request and once for equal requests. */
export class Thumbnails implements ThumbnailPort {
  readonly #options: ThumbnailsOptions;
  /** Sprites by stream, start and step, least recently used first. */
  readonly #cache = new Map<string, Uint8Array>();
  #keptBytes = 0;
  readonly #making = new Map<string, Promise<MadeThumbnails<Uint8Array> | ThumbnailRefusal>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ThumbnailsOptions) {
    this.#options = options;
  }

  async previewFile(
    stream: string,
    { atSeconds, filmSeconds }: { readonly atSeconds?: number; readonly filmSeconds?: number },
  ): Promise<Uint8Array | ThumbnailRefusal> {
    let frame = this.#options.keyFrame(stream, filmSeconds);
    if (frame === 'no-film')
      return {
        code: 'format_not_supported',
        detail: 'A stream has no first picture. Use {from}-preview.mp4 for the key frame at a time of its archive',
      };
    if (atSeconds !== undefined) {
      const output = await this.#open(stream, { kind: 'segment', startMs: atSeconds * 1000 });
      if ('code' in output) return output;
      frame = keyFrameAt(output.window, atSeconds * 1000);
    }
    return frame ? keyFrameFile(frame.track, await frame.data()) : noPicture(stream);
  }

  async sprite(
    stream: string,
    fromSeconds: number,
    stepSeconds: number,
  ): Promise<MadeThumbnails<Uint8Array> | ThumbnailRefusal> {
    if (stepOf(stepSeconds) !== stepSeconds || fromSeconds % stepSeconds !== 0)
      return { code: 'bad_request', detail: 'A sprite starts at one of the times in the list of thumbnails' };
    const key = `${stream}\n${fromSeconds} ${stepSeconds}`;
    const cached = this.#cache.get(key);
    if (cached) {
      this.#cache.delete(key);
      this.#cache.set(key, cached);
      return { content: cached, isFinal: true };
    }
    const running = this.#making.get(key);
    if (running) return running;
    if (this.#making.size >= MAX_WAITING) return { code: 'unavailable', detail: 'Too many thumbnails are being made' };
    const making = this.#turn.then(async () => this.#make(stream, fromSeconds, stepSeconds));
    this.#turn = making.catch(() => undefined);
    this.#making.set(key, making);
    try {
      const found = await making;
      if ('content' in found && found.isFinal) this.#keep(key, found.content);
      return found;
    } finally {
      this.#making.delete(key);
    }
  }

  async list(
    stream: string,
    { fromSeconds, durationSeconds }: { readonly fromSeconds: number; readonly durationSeconds: number },
    form: ThumbnailForm,
    query: string,
  ): Promise<MadeThumbnails<string> | ThumbnailRefusal> {
    if (durationSeconds > DAY_SECONDS)
      return { code: 'archive_too_long', detail: 'At most 24 hours have thumbnails in one list' };
    const parameters = new URLSearchParams(query);
    const step = parameters.get('step');
    const stepSeconds = stepOf(step === null ? durationSeconds / 100 : Number(step));
    if (step !== null && String(stepSeconds) !== step)
      return { code: 'bad_request', detail: 'step is one of 2, 5, 10, 30, 60, 120, 300 and 900' };
    parameters.delete('step');
    const time = { startMs: fromSeconds * 1000, endMs: (fromSeconds + durationSeconds) * 1000 };
    const { ranges } = await this.#options.ranges(stream, time, MAX_RANGES);
    if (ranges.length === 0) return { code: 'archive_empty', detail: `${stream} has no recording at that time` };
    const list = listThumbnails({ stream, time, ranges, stepSeconds, query: parameters.toString() }, form);
    return { content: list, isFinal: this.#isSettled(time.endMs) };
  }

  async #make(
    stream: string,
    fromSeconds: number,
    stepSeconds: number,
  ): Promise<MadeThumbnails<Uint8Array> | ThumbnailRefusal> {
    const durationSeconds = spriteSeconds(stepSeconds);
    const isFinal = this.#isSettled((fromSeconds + durationSeconds) * 1000);
    const name = `archive-${fromSeconds}-${durationSeconds}`;
    const output = await this.#open(stream, {
      kind: 'span',
      span: { name, isMuxed: false, kind: 'range', fromSeconds, durationSeconds },
    });
    if ('code' in output) return output;
    const { longestSegmentMs } = output.window;
    const found = Array.from({ length: COLUMNS * ROWS }, (_, tile) => {
      const atMs = (fromSeconds + tile * stepSeconds) * 1000;
      const frame = keyFrameAt(output.window, atMs);
      // Later frames belong to another tile, and there are none after the end.
      const isNear = frame && frame.atMs < atMs + stepSeconds * 1000 && frame.atMs >= atMs - longestSegmentMs;
      return isNear === true ? frame : undefined;
    });
    const frames = [];
    let bytes = 0;
    for (const frame of found) {
      const data = frame && bytes < MAX_FRAME_BYTES ? await frame.data().catch(() => undefined) : undefined;
      bytes += data?.length ?? 0;
      frames.push(frame && data ? { codec: frame.codec, decoderConfig: frame.decoderConfig, data } : null);
    }
    if (bytes === 0) return noPicture(stream);
    const size = { columns: COLUMNS, tileWidth: TILE_WIDTH, tileHeight: TILE_HEIGHT };
    return { content: await this.#options.makeSprite({ frames, ...size }), isFinal };
  }

  async #open(stream: string, request: RecordedRequest): Promise<StreamOutput | ThumbnailRefusal> {
    return this.#options.recorded(stream, request, undefined);
  }

  #isSettled(endMs: number): boolean {
    return this.#options.clock.now() >= endMs + SETTLED_MS;
  }

  #keep(key: string, sprite: Uint8Array): void {
    this.#cache.set(key, sprite);
    this.#keptBytes += sprite.length;
    for (const [oldest, { length }] of this.#cache) {
      if (this.#keptBytes <= MAX_KEPT_BYTES) break;
      this.#cache.delete(oldest);
      this.#keptBytes -= length;
    }
  }
}

function noPicture(stream: string): ThumbnailRefusal {
  return { code: 'picture_not_available', detail: `There is no picture of ${stream} at that time` };
}
