import { ticksToMsUp } from '../../media/timing/ticks.ts';
import { hold, type MediaBytes } from '../../segment/media-bytes.ts';
import type { ChangingWindow, SegmentWindow, TimeRange } from '../../segment/segment-window.ts';
import { changesOf } from '../changes.ts';
import type { TakeRoom } from '../take-room.ts';
import { PartFeed, type FedPart, type PartFeedOptions } from '../part-feed.ts';
import { beginFile, needsOtherEntry, needsOtherFile, ownSets, placed, type BegunFile } from './begun-file.ts';

/** Options of writing a window as one file. */
export interface ProgressiveMp4Options extends PartFeedOptions {
  /** Ends the file in order, after a complete chunk. */
  readonly signal?: AbortSignal;
  /** Waits for memory for the media of a part in a file. */
  readonly room?: TakeRoom;
}

/** Reason why a file ended. */
export interface ProgressiveEnd {
  /** `end`: end of the range, or signal; `format`: a track changes to a format that needs another file. */
  readonly reason: 'end' | 'format';
  /** End of the file, or start of the first segment that it does not have, in milliseconds on the timeline of the window; undefined if it is empty. */
  readonly toMs: number | undefined;
}

/**
 * Writes a window, or a range of it, as one fragmented MP4 with all tracks: `ftyp` and `moov`, then the chunks in order of time.
 * Media is not copied: only the start of a chunk is rewritten, up to its time, which counts from the start of the file (players
 * show 57 years otherwise). The original time stays in `prft`. A live window continues until the signal. Pictures of a new format
 * bring their parameter sets; a window ends in order if audio or the codec changes, because players know one sample entry for
 * each track.
 *
 * Each piece stays retained until the next one is requested, and waits that long: a slow reader holds no more than that. Media of
 * a live window that has been trimmed meanwhile is missing. A window without media in the range gives nothing. Raises the error
 * of a file.
 */
export async function* progressiveMp4(
  window: ChangingWindow,
  options: ProgressiveMp4Options = {},
): AsyncGenerator<MediaBytes, ProgressiveEnd, undefined> {
  const feed = new PartFeed(window, options);
  const changes = changesOf(window, options.signal);
  let file: BegunFile | undefined;
  let toMs: number | undefined;
  /** Whether the format of pictures has changed: from then on all key pictures carry parameter sets. */
  let hasOthers = false;
  try {
    for (;;) {
      const fed = changes.isOver ? 'end' : feed.next();
      if (fed === 'end') return { reason: 'end', toMs };
      if (fed === 'wait') {
        await changes.next();
        continue;
      }
      const done = hold([fed.part]);
      let giveBack: (() => void) | undefined;
      try {
        await fed.part.ready?.();
        const isInFile = fed.part.pieces.some((piece) => 'file' in piece);
        if (isInFile) giveBack = await options.room?.(fed.part.sizeBytes);
        if (!file) {
          file = await beginFile(window, feed, fed, durationOf(window, feed, options.range));
          yield file.head;
        }
        const known = file.tracks.get(fed.trackId);
        // A later track is not in the file.
        if (!known) continue;
        if (needsOtherFile(known.track, fed.track)) return { reason: 'format', toMs: fed.entry.startMs };
        if (needsOtherEntry(known.track, fed.track)) hasOthers = true;
        toMs = Math.max(toMs ?? 0, endOf(fed));
        const isFirst = fed.part === fed.entry.segment.parts[0];
        yield await placed(
          ...([fed.part, fed.shiftMs, file, fed.trackId] as const),
          hasOthers && isFirst ? ownSets(fed.track) : undefined,
        );
      } finally {
        done();
        giveBack?.();
      }
    }
  } finally {
    changes.close();
  }
}

/** Expected duration of a file in milliseconds; undefined if unknown. */
function durationOf(window: SegmentWindow, feed: PartFeed, range: TimeRange | undefined): number | undefined {
  const bounds = window.bounds();
  if (!bounds || feed.firstMsn === undefined) return undefined;
  const first = feed.trackIds.map((id) => window.segmentByMsn(id, feed.firstMsn ?? 0)).find((entry) => entry);
  if (!first || (window.mutability !== 'static' && bounds.toMs < (range?.toMs ?? Infinity))) return undefined;
  return Math.max(0, Math.min(bounds.toMs, range?.toMs ?? Infinity) - first.startMs);
}

function endOf({ part, track, shiftMs }: FedPart): number {
  return ticksToMsUp(part.startTicks + part.durationTicks, track.timescale) + shiftMs;
}
