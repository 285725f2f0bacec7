import type { WindowSegment } from '../../segment/segment-window.ts';
import { ArchiveWindow } from './archive-window.ts';

/**
 * Time range of an archive of any duration, for one reader that reads in order. It has the five minutes before the
 * position of the reader and the hour after it. Its owner loads the next range as the reader advances (`readMs`).
 */
export class LongRangeWindow extends ArchiveWindow {
  /** Start of the latest segment requested by number, in epoch milliseconds. */
  readMs: number;

  /** @param fromMs time at which the reader starts, in epoch milliseconds */
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
