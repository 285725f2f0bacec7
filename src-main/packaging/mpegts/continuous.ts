import { bytesInMemory, retainMedia, isLost, readMedia, type MediaBytes } from '../../segment/media-bytes.ts';
import type { ChangingWindow, SegmentWindow } from '../../segment/segment-window.ts';
import { changesOf } from '../changes.ts';
import type { TakeRoom } from '../take-room.ts';
import { PartFeed, type PartFeedOptions } from '../part-feed.ts';
import { PartMuxer, type TsChunk } from './part-muxer.ts';

/**
 * Transport stream of a live window with media in memory, from its newest segment on. One instance serves all viewers
 * of a stream.
 */
export class ContinuousTs {
  readonly #feed: PartFeed;
  readonly #muxer: PartMuxer;

  constructor(window: SegmentWindow) {
    this.#feed = new PartFeed(window);
    this.#muxer = new PartMuxer(this.#feed);
  }

  /** Returns the packets that became ready since the last call; must be called after each change of the window. */
  take(): TsChunk[] {
    const chunks: TsChunk[] = [];
    for (let fed = this.#feed.next(); typeof fed !== 'string'; fed = this.#feed.next()) {
      const bytes = bytesInMemory(fed.part);
      if (bytes) chunks.push(...this.#muxer.add(fed, bytes));
    }
    chunks.push(...this.#muxer.ready());
    return chunks;
  }
}

/** Options for muxing a window for one viewer. */
export interface WindowTsOptions extends PartFeedOptions {
  /** Ends the stream after the current part. */
  readonly signal?: AbortSignal;
  /** Waits for memory for the media of a part. */
  readonly room?: TakeRoom;
}

/**
 * Bytes of media in memory while a part is muxed, per byte of the part: the part, its access units, and the packets.
 */
const COPIES = 3;

/**
 * A window, or a range of it, as one transport stream at the pace of its reader, from memory or from files. It ends
 * with the window or the range, or when the signal is aborted. It needs memory for a few parts only, for any duration.
 * Missing or damaged media is a gap. Rejects with any other error of a file.
 */
export async function* windowTs(
  window: ChangingWindow,
  options: WindowTsOptions = {},
): AsyncGenerator<MediaBytes, void, undefined> {
  const feed = new PartFeed(window, options);
  const muxer = new PartMuxer(feed);
  const changes = changesOf(window, options.signal);
  try {
    for (;;) {
      const fed = changes.isOver ? 'end' : feed.next();
      if (fed === 'end') break;
      if (fed === 'wait') {
        yield* asMedia(muxer.ready());
        await changes.next();
        continue;
      }
      const release = retainMedia([fed.part]);
      let done: (() => void) | undefined;
      try {
        await fed.part.ready?.();
        done = await options.room?.(fed.part.sizeBytes * COPIES);
        const inMemory = bytesInMemory(fed.part);
        // Copies the part: its memory may be reused while units wait in the queues.
        const bytes = inMemory ? new Uint8Array(inMemory) : await readMedia(fed.part);
        release();
        yield* asMedia([...muxer.add(fed, bytes), ...muxer.ready()]);
      } catch (error) {
        // Lost media is a gap.
        if (!isLost(error)) throw error;
      } finally {
        release();
        done?.();
      }
    }
    yield* asMedia(muxer.remaining());
  } finally {
    changes.close();
  }
}

function* asMedia(chunks: readonly TsChunk[]): Iterable<MediaBytes> {
  for (const { bytes } of chunks) yield { sizeBytes: bytes.length, pieces: [{ bytes }] };
}
