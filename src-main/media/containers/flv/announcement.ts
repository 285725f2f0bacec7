import { INPUT_TIMESCALE } from '../../access-unit.ts';
import type { FlvMetadata } from './metadata.ts';

/** Maximum wait for the promised tracks: one second of media time, in 90 kHz ticks. */
const WAIT_TICKS = INPUT_TIMESCALE;

/** State of a track that `Announcement` needs. */
export interface ReaderState {
  readonly content: 'video' | 'audio';
  readonly isReady: boolean;
}

/**
 * Decides when the first set of tracks is complete: when all tracks promised by `onMetaData` and all tracks seen in tags are
 * ready; without `onMetaData`, when video and audio are ready. After one second of media time, the reader no longer waits for
 * more.
 */
export class Announcement {
  #promised: { readonly video: boolean; readonly audio: boolean } = { video: true, audio: true };
  #firstTicks: number | undefined;

  /** Processes the promise of `onMetaData`; an unsupported codec is not waited for. */
  promise(metadata: FlvMetadata, isReadable: (content: 'video' | 'audio', codec: string) => boolean): void {
    const { videoCodec, audioCodec } = metadata;
    this.#promised = {
      video: videoCodec !== undefined && (videoCodec === '' || isReadable('video', videoCodec)),
      audio: audioCodec !== undefined && (audioCodec === '' || isReadable('audio', audioCodec)),
    };
  }

  /** Processes the time of a media tag; returns true from one second after the first tag on. */
  isOverdue(ticks: number): boolean {
    this.#firstTicks ??= ticks;
    return Math.abs(ticks - this.#firstTicks) >= WAIT_TICKS;
  }

  isComplete(readers: readonly ReaderState[]): boolean {
    if (readers.length === 0 || readers.some((reader) => !reader.isReady)) return false;
    const hasVideo = readers.some((reader) => reader.content === 'video');
    const hasAudio = readers.some((reader) => reader.content === 'audio');
    return (hasVideo || !this.#promised.video) && (hasAudio || !this.#promised.audio);
  }
}
