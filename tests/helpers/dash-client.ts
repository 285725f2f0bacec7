import { renderMpd } from '../../src-main/packaging/dash/mpd.ts';
import type { SegmentWindow } from '../../src-main/segment/segment-window.ts';
import { checkUpdate, readStrictMpd, type ReadMpd } from './strict-mpd.ts';

/** DASH client that reloads the MPD. Collects a fault if a Period changes anywhere except at the end of the window. */
export class DashClient {
  readonly faults: string[] = [];
  #before: ReadMpd | undefined;

  update(window: SegmentWindow, nowMs: number): void {
    const text = renderMpd(window, { nowMs });
    if (text === undefined) return;
    const mpd = readStrictMpd(text);
    if (this.#before) checkUpdate(this.#before, mpd);
    for (const period of mpd.periods) {
      // The first Period may be listed before all its tracks have started.
      const earlier = this.#before?.periods.slice(1).find(({ id }) => id === period.id);
      for (const { trackId, initialization, media, segments } of period.sets) {
        if (earlier && !earlier.sets.some((set) => set.trackId === trackId))
          this.faults.push(`${trackId} was added to ${period.id} later`);
        const [, prefix = '', initId] = /([^/]*)init-(\d+)\.mp4$/.exec(initialization) ?? [];
        if (!window.init(trackId, Number(initId), prefix)) this.faults.push(`${initialization} is missing`);
        for (const { t } of segments)
          if (!window.segmentByAddress(trackId, `${prefix}${t}`)) this.faults.push(`${media} ${t} is missing`);
      }
    }
    this.#before = mpd;
  }
}
