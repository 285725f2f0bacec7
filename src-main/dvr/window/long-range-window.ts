import type { WindowSegment } from '../../segment/segment-window.ts';
import { ArchiveWindow } from './archive-window.ts';

/**
 * A time of an archive of any length, for one reader who takes it in order: it holds the hour that comes next and a few minutes behind the reader, whatever
 * its length. Who made it shows the next range while the reader goes on (`readMs`).
 */
export class LongRangeWindow extends ArchiveWindow {
  /** Begin of the latest segment that was asked for by its number, in epoch milliseconds. */
  readMs: number;

  /** @param fromMs where the reader begins, in epoch milliseconds */
  constructor(segmentMs: number, fromMs: number) {
    super({ segmentMs, mutability: 'event' });
    this.readMs = fromMs;
  }

  override segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    const found = super.segmentByMsn(trackId, msn);
    if (found) this.readMs = Math.max(this.readMs, found.startMs);
    return found;
  }
}
