import { LongTexts } from '../delivery/long-texts.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import type { Recorded, RecordedRefusal, RecordedRequest } from '../delivery/recorded.ts';
import type { AddedBlock, ArchiveCatalog } from '../dvr/catalog/archive-catalog.ts';
import type { TimeRange } from '../dvr/catalog/catalog-store.ts';
import type { Recordings } from '../dvr/recordings.ts';
import { ArchiveFiles } from '../dvr/window/archive-files.ts';
import { ArchivePlayback, type ArchiveRefusal, type PlayedWindow } from '../dvr/window/archive-playback.ts';
import type { ArchiveRequest } from '../dvr/window/archive-request.ts';
import { splicesOf } from '../dvr/window/archive-splices.ts';
import { BlockTables, type DamagedBlock } from '../dvr/window/block-tables.ts';
import type { Clock } from '../lib/clock.ts';
import type { SpliceMarks } from '../packaging/hls/splice-marks.ts';
import type { WindowSplice } from '../segment/segment-window.ts';
import type { Session } from '../sessions/session.ts';

/** Playback of archives. */
export interface ArchivePlaybackUnit {
  readonly recorded: Recorded;
  /** Splice points of a stream in a time range, recorded or live, oldest first. */
  readonly splices: (this: void, stream: string, time: TimeRange) => Promise<readonly WindowSplice[]>;
  /** Reports that a block was removed. */
  blockRemoved(disk: string, path: string): void;
  /** Reports that a block was added to the catalog. */
  blockAdded(block: AddedBlock): void;
  close(): Promise<void>;
}

/** Part of a stream that playback needs. */
export interface PlayedStream {
  readonly segmentDurationMs: number;
  readonly hlsScte35: SpliceMarks;
}

/** Opens the playback of archives. */
export function openArchivePlayback({
  clock,
  catalog,
  recordings,
  streamOf,
  output,
  isRecorded,
  hasEnded,
  damaged,
}: {
  readonly clock: Clock;
  readonly catalog: ArchiveCatalog;
  readonly recordings: Pick<Recordings, 'unfinished' | 'unfinishedBlocks' | 'isOver' | 'shiftOf'>;
  readonly streamOf: (name: string) => PlayedStream | undefined;
  /** Live output of a stream; undefined while it has none. */
  readonly output: (name: string) => StreamOutput | undefined;
  /** Whether a stream is recorded as soon as it has media. */
  readonly isRecorded: (name: string) => boolean;
  /** Whether the encoder of a stream has disconnected permanently. */
  readonly hasEnded: (name: string) => boolean;
  /** Called once for each block that is found damaged. */
  readonly damaged: (block: DamagedBlock) => void;
}): ArchivePlaybackUnit {
  const files = new ArchiveFiles({ clock });
  const texts = new LongTexts();
  const outputs = new Map<PlayedWindow, StreamOutput>();
  const tables = new BlockTables({ files, catalog, unfinished: (stream) => recordings.unfinishedBlocks(stream) });
  tables.onDamage(damaged);
  const playback = new ArchivePlayback({
    clock,
    live: (stream) => (hasEnded(stream) ? undefined : output(stream)?.window),
    shiftOf: (stream) => recordings.shiftOf(stream),
    isOver: (stream) =>
      hasEnded(stream) ? recordings.unfinished(stream) === undefined : !isRecorded(stream) && recordings.isOver(stream),
    tables,
    isInUse: (window) => {
      const output = outputs.get(window);
      return output !== undefined && (output.hasWatchers || output.waitCount > 0);
    },
    ended: (window) => {
      outputs.get(window)?.close();
      outputs.delete(window);
    },
  });
  const outputOf = (stream: string, window: PlayedWindow | ArchiveRefusal): StreamOutput | RecordedRefusal => {
    if (typeof window === 'string') return refusalOf(window, stream);
    const cached = outputs.get(window);
    if (cached) return cached;
    const marks = (): SpliceMarks => streamOf(stream)?.hlsScte35 ?? 'rfc8216';
    const created = new StreamOutput(stream, window, marks, () => output(stream), texts);
    outputs.set(window, created);
    return created;
  };
  const segmentMsOf = (stream: string): number => streamOf(stream)?.segmentDurationMs ?? DEFAULT_SEGMENT_MS;
  return {
    splices: async (stream, time) => splicesOf(tables, stream, time, output(stream)?.window.splices() ?? []),
    async recorded(stream, request, session) {
      const segmentMs = segmentMsOf(stream);
      switch (request.kind) {
        case 'span': {
          const archiveRequest = requestOf(request, session, clock.now());
          return outputOf(stream, await playback.open(stream, archiveRequest, segmentMs));
        }
        case 'segment': {
          const { startMs, trackId } = request;
          const has = (window: PlayedWindow): boolean =>
            trackId === undefined || window.segmentByAddress(trackId, String(startMs)) !== undefined;
          return outputOf(stream, await playback.openAt(stream, startMs, segmentMs, has));
        }
        case 'init': {
          const { trackId, initId } = request;
          return outputOf(stream, await playback.openFormat(stream, trackId, initId, segmentMs));
        }
      }
    },
    blockAdded(block) {
      playback.blockAdded(block);
    },
    blockRemoved(disk, path) {
      playback.blockRemoved(disk, path);
    },
    async close() {
      playback.close();
      await files.close();
    },
  };
}

const DEFAULT_SEGMENT_MS = 2000;

/** Converts the range of an address to a request for the archive. */
function requestOf(
  { span, isFile = false }: Extract<RecordedRequest, { kind: 'span' }>,
  session: Session | undefined,
  nowMs: number,
): ArchiveRequest {
  switch (span.kind) {
    case 'range': {
      const fromMs = span.fromSeconds * 1000;
      return { kind: 'range', fromMs, toMs: fromMs + span.durationSeconds * 1000, isInOrder: isFile };
    }
    case 'delayed':
      return { kind: 'shifted', shiftMs: span.seconds * 1000 };
    case 'delayed-from': {
      // All requests of a session use the same second.
      const openedSeconds = Math.floor((session?.openedMs ?? nowMs) / 1000);
      return { kind: 'shifted', shiftMs: (openedSeconds - span.fromSeconds) * 1000 };
    }
    case 'rewind':
      return { kind: 'rewind', depthMs: span.seconds * 1000 };
  }
}

function refusalOf(why: ArchiveRefusal, stream: string): RecordedRefusal {
  switch (why) {
    case 'nothing_recorded':
      return { code: 'archive_empty', detail: `${stream} has no recording at that time` };
    case 'not_yet':
      return { code: 'archive_not_yet', detail: `That time of ${stream} is still to come, or is not on disk yet` };
    case 'range_too_long':
      return {
        code: 'archive_too_long',
        detail: 'One playlist or MPD has at most 24 hours: .ts and .mp4 have any length',
      };
  }
}
