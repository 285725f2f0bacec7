import { ticksToMsUp } from '../../media/timing/ticks.ts';
import { retainMedia, isLost, type MediaBytes } from '../../segment/media-bytes.ts';
import type { ChangingWindow, SegmentWindow, TimeRange } from '../../segment/segment-window.ts';
import { changesOf } from '../changes.ts';
import type { TakeRoom } from '../take-room.ts';
import { PartFeed, type FedPart, type PartFeedOptions } from '../part-feed.ts';
import { needsOtherEntry, needsOtherFile } from './file-formats.ts';
import { presentedFromMs, startFile, parameterSetsOf, movedChunk, type StartedFile } from './started-file.ts';

/** Options for writing a window as one file. */
export interface ProgressiveMp4Options extends PartFeedOptions {
  /** Ends the file after the current chunk. */
  readonly signal?: AbortSignal;
  /** Waits for memory for the media of a part in a file. */
  readonly room?: TakeRoom;
}

/** Reason for the end of a file. */
export interface ProgressiveEnd {
  /**
   * `end`: end of the range, or the signal was aborted; `format`: the coding of a track changes so much that another file is
   * needed.
   */
  readonly reason: 'end' | 'format';
  /**
   * End of the file, or start of the first segment in another format, on the timeline of the window in milliseconds;
   * undefined if the file is empty.
   */
  readonly toMs: number | undefined;
}

/**
 * A window, or a range of it, as one fragmented MP4 with all of its tracks: `ftyp` and `moov`, and then the chunks, in
 * the order of time. Media is not copied: only the start of a chunk is rewritten, up to its time. Times count from the
 * start of the file (otherwise players show a duration of 57 years); the original time stays in `prft`. A live window
 * continues until the signal is aborted. If the format of the pictures changes, key frames contain their parameter
 * sets. If the sound or the codec changes, the file ends, because players support one sample entry per track.
 *
 * Each piece stays in memory until the next one is requested, so a slow reader holds one piece. Media that leaves a
 * live window in the meantime is missing, and missing or damaged media is a gap. The result is empty if the window has
 * no media in the range. Rejects with any other error of a file.
 */
export async function* progressiveMp4(
  window: ChangingWindow,
  options: ProgressiveMp4Options = {},
): AsyncGenerator<MediaBytes, ProgressiveEnd, undefined> {
  const feed = new PartFeed(window, options);
  const changes = changesOf(window, options.signal);
  let file: StartedFile | undefined;
  let toMs: number | undefined;
  /** True after a change of the picture format; from then on each segment starts with its parameter sets. */
  let hasChangedFormat = false;
  try {
    for (;;) {
      const fed = changes.isOver ? 'end' : feed.next();
      if (fed === 'end') return { reason: 'end', toMs };
      if (fed === 'wait') {
        await changes.next();
        continue;
      }
      const done = retainMedia([fed.part]);
      let release: (() => void) | undefined;
      try {
        await fed.part.ready?.();
        const isInFile = fed.part.pieces.some((piece) => 'file' in piece);
        if (isInFile) release = await options.room?.(fed.part.sizeBytes);
        if (!file) {
          file = await startFile(window, feed, fed, durationOf(window, feed, options.range));
          yield file.head;
        }
        const fileTrack = file.tracks.get(fed.trackId)?.track;
        // Tracks that start later are not in `moov`, so they are left out.
        if (!fileTrack) continue;
        if (needsOtherFile(fileTrack, fed.track)) return { reason: 'format', toMs: fed.entry.startMs };
        if (needsOtherEntry(fileTrack, fed.track)) hasChangedFormat = true;
        toMs = Math.max(toMs ?? 0, endOf(fed));
        const isFirst = fed.part === fed.entry.segment.parts[0];
        yield await movedChunk(
          ...([fed.part, fed.shiftMs, file, fed.trackId] as const),
          hasChangedFormat && isFirst ? parameterSetsOf(fed.track) : undefined,
        );
      } catch (error) {
        // Lost media is a gap, except at the start: without its times there is no file.
        if (!file || !isLost(error)) throw error;
      } finally {
        done();
        release?.();
      }
    }
  } finally {
    changes.close();
  }
}

/** Expected duration of a file, in milliseconds; undefined if unknown. */
function durationOf(window: SegmentWindow, feed: PartFeed, range: TimeRange | undefined): number | undefined {
  const bounds = window.bounds();
  if (!bounds || feed.firstMsn === undefined) return undefined;
  const first = feed.trackIds.map((id) => window.segmentByMsn(id, feed.firstMsn ?? 0)).find((entry) => entry);
  if (!first || (window.mutability !== 'static' && bounds.toMs < (range?.toMs ?? Infinity))) return undefined;
  const fromMs = presentedFromMs(window, first) ?? first.startMs;
  return Math.max(0, Math.min(bounds.toMs, range?.toMs ?? Infinity) - fromMs);
}

/** End of a part on the timeline of the window, in milliseconds. */
function endOf({ part, track, shiftMs }: FedPart): number {
  return ticksToMsUp(part.startTicks + part.durationTicks, track.timescale) + shiftMs;
}
