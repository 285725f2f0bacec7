import { LongWindow } from '../../tests/helpers/long-window.ts';
import { renderMpd } from '../../src-main/packaging/dash/mpd.ts';
import { renderMediaPlaylist } from '../../src-main/packaging/hls/media-playlist.ts';
import { renderTsPlaylist } from '../../src-main/packaging/hls/ts-playlist.ts';
import type { BenchContext } from '../context.ts';
import { figuresOf, type Row } from '../row.ts';

const HOUR_MS = 3_600_000;
const MONTH_SECONDS = 30 * 24 * 3600;
const ROUNDS = 7;
const RENDERINGS = 200;
const QUICK_RENDERINGS = 40;

/**
 * Measures the cost of the playlists and the MPD of one hour of a month: 1800 of 1.3 million segments. Each rendering takes
 * another hour, so that nothing is cached.
 */
export function month(context: BenchContext): Promise<Row[]> {
  context.say('month: in this process');
  const window = new LongWindow(MONTH_SECONDS);
  const renderings = context.isQuick ? QUICK_RENDERINGS : RENDERINGS;
  const base = { section: 'month', unit: 'ms', better: 'lower', target: 5 } as const;
  const rangeOf = (index: number): { readonly fromMs: number; readonly toMs: number } => {
    const fromMs = window.startMs + ((index * 37) % (30 * 24)) * HOUR_MS;
    return { fromMs, toMs: fromMs + HOUR_MS };
  };
  const row = (name: string, render: (index: number) => string | undefined): Row => {
    const round = (): number => {
      const before = process.cpuUsage();
      for (let index = 0; index < renderings; index++)
        // An MPD is short, because it lists segments of equal duration as one entry.
        if ((render(index)?.length ?? 0) < 500) throw new Error('nothing was rendered');
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000 / renderings;
    };
    round();
    const rounds = Array.from({ length: ROUNDS }, round);
    return { ...base, name: `${name} of an hour, CPU with garbage collection`, ...figuresOf(rounds) };
  };
  return Promise.resolve([
    row('HLS playlist', (index) => renderMediaPlaylist(window, { trackId: 'v1', range: rangeOf(index) })),
    row('TS playlist', (index) => renderTsPlaylist(window, { range: rangeOf(index) })),
    row('MPD', (index) => renderMpd(window, { nowMs: window.startMs, range: rangeOf(index) })),
  ]);
}
