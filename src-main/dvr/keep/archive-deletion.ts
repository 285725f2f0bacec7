import type { Clock } from '../../lib/clock.ts';
import { deadline } from '../../lib/timers.ts';
import { ticksToMs } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import type { BlockContent } from '../block/block-copy.ts';
import type { BlockSegment } from '../block/block-index.ts';
import type { ArchiveCatalog } from '../catalog/archive-catalog.ts';
import type { TimeRange } from '../catalog/catalog-store.ts';
import { cutBlock, type BlockCutOptions } from './block-cut.ts';

/** What deletion needs. */
export interface ArchiveDeletionOptions extends BlockCutOptions {
  readonly clock: Clock;
  readonly catalog: Pick<ArchiveCatalog, 'places' | 'add' | 'remove' | 'settled'>;
  /** Folders of the disks that may have something of a stream. */
  readonly disks: (stream: string) => readonly string[];
  /** Makes the catalog say what lies of a stream on a disk in some hours. */
  readonly reconcile: (stream: string, folder: string, time: TimeRange) => Promise<void>;
  /** Ends the blocks of a stream that are written and begin before a time; resolves when they are finished. */
  readonly cut: (stream: string, beforeMs: number) => Promise<void>;
}

/** What was deleted. */
export interface DeletedTime {
  /** Blocks that are gone, or are shorter than they were. */
  readonly count: number;
  readonly bytes: number;
  /** Blocks that could not be deleted or cut, with what the system said. */
  readonly failures: readonly { readonly path: string; readonly error: unknown }[];
}

/** Blocks that are found in one step. */
const STEP_BLOCKS = 256;
/** How long a block that is being written may take to be finished, in milliseconds. */
const MAX_CUT_MS = 30_000;

/** Deletes times of archives: every segment that has something of them, and nothing else. One time of a stream after the other. */
export class ArchiveDeletion {
  readonly #options: ArchiveDeletionOptions;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(options: ArchiveDeletionOptions) {
    this.#options = options;
  }

  /** Deletes what is recorded of a time up to now. Blocks that go beyond it lose their segments in it. @param isKept which times stay whatever is deleted */
  async remove(stream: string, time: TimeRange, isKept: (time: TimeRange) => boolean): Promise<DeletedTime> {
    const before = this.#turns.get(stream) ?? Promise.resolve();
    const turn = before.then(async () => this.#remove(stream, time, isKept));
    const settled = turn.catch(() => undefined);
    this.#turns.set(stream, settled);
    void settled.then(() => {
      if (this.#turns.get(stream) === settled) this.#turns.delete(stream);
    });
    return turn;
  }

  async #remove(stream: string, time: TimeRange, isKept: (time: TimeRange) => boolean): Promise<DeletedTime> {
    const { catalog, disks, reconcile } = this.#options;
    await this.#finish(stream, time.endMs);
    for (const folder of disks(stream)) await reconcile(stream, folder, time);
    const failures: { path: string; error: unknown }[] = [];
    let [count, bytes] = [0, 0];
    const done = new Set<string>();
    for (let fromMs = time.startMs; ;) {
      const places = await catalog.places(stream, { startMs: fromMs, endMs: time.endMs }, STEP_BLOCKS);
      const next = places.filter(({ disk, path }) => !done.has(`${disk} ${path}`));
      if (next.length === 0) break;
      for (const { disk: folder, path } of next) {
        done.add(`${folder} ${path}`);
        try {
          const cut = await cutBlock(this.#options, { folder, path }, (block, segment) => {
            const when = timeOf(block, segment);
            return when === undefined || when.endMs <= time.startMs || when.startMs >= time.endMs || isKept(when);
          });
          if (!cut.isGone) continue;
          count++;
          bytes += cut.freedBytes;
          catalog.remove(folder, path);
          if (cut.left) {
            catalog.add(cut.left);
            done.add(`${folder} ${cut.left.path}`);
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

  /** Waits for the end of the blocks that are written. Rejects where the disk does not finish them. */
  async #finish(stream: string, beforeMs: number): Promise<void> {
    const { clock, cut } = this.#options;
    return new Promise((resolve, reject) => {
      const cancel = deadline(clock, MAX_CUT_MS, () => {
        reject(
          Object.assign(new Error('The block that is recorded could not be ended in time'), { code: 'disk_slow' }),
        );
      });
      cut(stream, beforeMs).then(resolve, reject).finally(cancel);
    });
  }
}

/** When a segment is; undefined for one of a track that the block does not have. */
function timeOf(
  { head }: BlockContent,
  { trackNumber: number, startTicks, durationTicks }: BlockSegment,
): TimeRange | undefined {
  const track = head.tracks.find(({ id }) => trackNumber(id) === number);
  if (!track) return undefined;
  const { timescale } = track;
  return { startMs: ticksToMs(startTicks, timescale), endMs: ticksToMs(startTicks + durationTicks, timescale) };
}
