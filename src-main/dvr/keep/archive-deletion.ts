import type { Clock } from '../../lib/clock.ts';
import { deadline } from '../../lib/timers.ts';
import { ticksToMs } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import type { BlockContent } from '../block/block-copy.ts';
import type { BlockSegment } from '../block/block-index.ts';
import type { ArchiveCatalog } from '../catalog/archive-catalog.ts';
import type { TimeRange } from '../catalog/catalog-store.ts';
import { cutBlock, type BlockCutOptions } from '../block-cut.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { ExplainedError } from '../../lib/error-message.ts';

export interface ArchiveDeletionOptions extends BlockCutOptions {
  readonly clock: Clock;
  readonly catalog: Pick<ArchiveCatalog, 'blockPositions' | 'add' | 'remove' | 'settled'>;
  /** Folders of the disks that may have blocks of a stream. */
  readonly disks: (stream: string) => readonly string[];
  /** Reconciles the catalog with a disk for some hours of a stream. */
  readonly reconcile: (stream: string, folder: string, time: TimeRange) => Promise<void>;
  /** Ends the open blocks of a stream that start before a time; resolves when they are finished. */
  readonly cut: (stream: string, beforeMs: number) => Promise<void>;
}

/** Result of a deletion. */
export interface DeletedTime {
  /** Number of blocks deleted or shortened. */
  readonly count: number;
  readonly bytes: number;
  /** Blocks that could not be deleted or cut, with the system error. */
  readonly failures: readonly { readonly path: string; readonly error: unknown }[];
}

/** Blocks listed in one step. */
const STEP_BLOCKS = 256;
/** Maximum time to finish an open block, in milliseconds. */
const MAX_CUT_MS = 30_000;

/** Deletes time ranges of archives: the segments that overlap them and are not protected. One range of a stream at a time. */
export class ArchiveDeletion {
  readonly #options: ArchiveDeletionOptions;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(options: ArchiveDeletionOptions) {
    this.#options = options;
  }

  /**
   * Deletes the segments that overlap a time range. Blocks that extend beyond the range are shortened. Media recorded
   * after the call may stay.
   *
   * @param mustKeep whether the time range of a segment is protected
   */
  async remove(stream: string, time: TimeRange, mustKeep: (time: TimeRange) => boolean): Promise<DeletedTime> {
    const before = this.#turns.get(stream) ?? Promise.resolve();
    const turn = before.then(async () => this.#remove(stream, time, mustKeep));
    const settled = turn.catch(() => undefined);
    this.#turns.set(stream, settled);
    void settled.then(() => {
      if (this.#turns.get(stream) === settled) this.#turns.delete(stream);
    });
    return turn;
  }

  async #remove(stream: string, time: TimeRange, mustKeep: (time: TimeRange) => boolean): Promise<DeletedTime> {
    const { catalog, disks, reconcile } = this.#options;
    await this.#finish(stream, time.endMs);
    for (const folder of disks(stream)) await reconcile(stream, folder, time);
    const failures: { path: string; error: unknown }[] = [];
    let [count, bytes] = [0, 0];
    const done = new Set<string>();
    for (let fromMs = time.startMs; ;) {
      const places = await catalog.blockPositions(stream, { startMs: fromMs, endMs: time.endMs }, STEP_BLOCKS);
      const next = places.filter(({ disk, path }) => !done.has(`${disk} ${path}`));
      if (next.length === 0) break;
      for (const { disk: folder, path } of next) {
        done.add(`${folder} ${path}`);
        try {
          const cut = await cutBlock(this.#options, { folder, path }, (block, segment) => {
            const when = timeOf(block, segment);
            return when === undefined || when.endMs <= time.startMs || when.startMs >= time.endMs || mustKeep(when);
          });
          if (!cut.isRemoved) continue;
          count++;
          bytes += cut.freedBytes;
          catalog.remove(folder, path);
          if (cut.remaining) {
            catalog.add(cut.remaining);
            done.add(`${folder} ${cut.remaining.path}`);
          }
        } catch (error) {
          failures.push({ path, error });
        }
      }
      await catalog.settled();
      fromMs = Math.max(fromMs, Math.min(...next.slice(-1).map(({ startMs }) => startMs)));
    }
    return { count, bytes, failures };
  }

  /** Ends open blocks and waits for them. Rejects if the disk does not finish them in time. */
  async #finish(stream: string, beforeMs: number): Promise<void> {
    const { clock, cut } = this.#options;
    return new Promise((resolve, reject) => {
      const cancel = deadline(clock, MAX_CUT_MS, () => {
        reject(Object.assign(new ExplainedError(because('block_not_closed')), { code: 'disk_slow' }));
      });
      cut(stream, beforeMs).then(resolve, reject).finally(cancel);
    });
  }
}

/** Time range of a segment; undefined for a segment of a track that the block does not have. */
function timeOf(
  { head }: BlockContent,
  { trackNumber: number, startTicks, durationTicks }: BlockSegment,
): TimeRange | undefined {
  const track = head.tracks.find(({ id }) => trackNumber(id) === number);
  if (!track) return undefined;
  const { timescale } = track;
  return { startMs: ticksToMs(startTicks, timescale), endMs: ticksToMs(startTicks + durationTicks, timescale) };
}
