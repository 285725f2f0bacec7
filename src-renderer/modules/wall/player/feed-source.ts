import { FEED_CREDIT } from '../../../../src-preload/contract/index.ts';
import type { FeedFrame } from '../../../../src-preload/contract/index.ts';

/** Duration of played media that stays in the buffer, in seconds; longer media is removed from `TRIM_S` on. */
const BACK_BUFFER_S = 4;
const TRIM_S = 12;

/** Media that waits to be appended. */
interface PendingMedia {
  readonly frame: FeedFrame;
  readonly taken: () => void;
}

interface Track {
  mediaType: string;
  buffer: SourceBuffer | undefined;
  /** Media that waits for the buffer; the credit of the server limits its number. */
  readonly waiting: PendingMedia[];
  appending: (() => void) | undefined;
}

/** Callbacks of a source. */
export interface FeedSourceEvents {
  /** Called when media was appended. */
  readonly added: () => void;
  /** Called when the source has failed permanently. */
  readonly failed: () => void;
}

/** Media Source of a feed, with one buffer per track, filled as frames arrive. Media times are UTC. */
export class FeedSource {
  readonly #video: HTMLVideoElement;
  readonly #events: FeedSourceEvents;
  readonly #source = new MediaSource();
  readonly #url: string;
  readonly #tracks: Track[];
  #originMs: number | undefined;
  #isClosed = false;

  constructor(video: HTMLVideoElement, mediaTypes: readonly string[], events: FeedSourceEvents) {
    this.#video = video;
    this.#events = events;
    this.#tracks = mediaTypes.map((mediaType) => ({ mediaType, buffer: undefined, waiting: [], appending: undefined }));
    this.#source.addEventListener('sourceopen', () => this.#opened(), { once: true });
    this.#url = URL.createObjectURL(this.#source);
    video.src = this.#url;
  }

  /** Epoch milliseconds at time 0 of the element; undefined before the first part. */
  get originMs(): number | undefined {
    return this.#originMs;
  }

  /** Whether no media waits for its buffer. */
  get isSettled(): boolean {
    return this.#tracks.every(({ waiting, appending }) => waiting.length === 0 && !appending);
  }

  /** True if a reopened feed with these tracks can continue in this source. */
  fits(mediaTypes: readonly string[]): boolean {
    return (
      mediaTypes.length === this.#tracks.length &&
      mediaTypes.every((mediaType, index) => contentOf(mediaType) === contentOf(this.#tracks[index]?.mediaType ?? ''))
    );
  }

  /** Appends a frame, in order. */
  add(frame: FeedFrame, taken: () => void): void {
    const track = this.#tracks[frame.track];
    if (!track || this.#isClosed || track.waiting.length > 2 * FEED_CREDIT) {
      taken();
      return;
    }
    track.waiting.push({ frame, taken });
    this.#work(track);
  }

  close(): void {
    this.#isClosed = true;
    URL.revokeObjectURL(this.#url);
    for (const track of this.#tracks) {
      track.appending?.();
      track.appending = undefined;
      for (const { taken } of track.waiting.splice(0)) taken();
    }
  }

  #opened(): void {
    if (this.#isClosed) return;
    try {
      for (const track of this.#tracks) {
        const buffer = this.#source.addSourceBuffer(track.mediaType);
        track.buffer = buffer;
        buffer.addEventListener('updateend', () => this.#ended(track));
        buffer.addEventListener('error', () => this.#fail());
      }
      for (const track of this.#tracks) this.#work(track);
    } catch {
      this.#fail();
    }
  }

  #ended(track: Track): void {
    const { appending } = track;
    track.appending = undefined;
    appending?.();
    if (this.#isClosed) return;
    if (appending) this.#events.added();
    this.#work(track);
  }

  #work(track: Track): void {
    const { buffer, waiting } = track;
    // `updating` ends slightly before `updateend` fires.
    if (this.#isClosed || !buffer || buffer.updating || track.appending) return;
    try {
      if (this.#trim(buffer)) {
        track.appending = () => {};
        return;
      }
      const next = waiting.shift();
      if (!next) return;
      track.appending = next.taken;
      if (next.frame.kind === 'init') this.#setType(track, buffer, next.frame.mediaType);
      else this.#setOrigin(buffer, next.frame.startMs);
      buffer.appendBuffer(next.frame.media);
    } catch {
      this.#fail();
    }
  }

  #setType(track: Track, buffer: SourceBuffer, mediaType: string): void {
    if (track.mediaType === mediaType) return;
    buffer.changeType(mediaType);
    track.mediaType = mediaType;
  }

  /** Sets an origin of times shortly before the first media, because epoch seconds exceed the precision of players. */
  #setOrigin(buffer: SourceBuffer, startMs: number): void {
    this.#originMs ??= Math.floor(startMs / 1000) * 1000 - 1000;
    const offset = -this.#originMs / 1000;
    if (buffer.timestampOffset !== offset) buffer.timestampOffset = offset;
  }

  #trim(buffer: SourceBuffer): boolean {
    const { buffered } = buffer;
    const at = this.#video.currentTime;
    if (buffered.length === 0 || at - buffered.start(0) < TRIM_S) return false;
    buffer.remove(0, at - BACK_BUFFER_S);
    return true;
  }

  #fail(): void {
    if (!this.#isClosed) this.#events.failed();
  }
}

function contentOf(mediaType: string): string {
  return mediaType.split('/', 1)[0] ?? '';
}
