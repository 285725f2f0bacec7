import type { PlayerReport } from './player-page.ts';

/** Seconds before the end of the buffer within which a player that waits has run dry. */
const DRY_SECONDS = 0.5;

/**
 * The stalls in which a player had nothing left to play. A browser on a busy machine also waits with a full buffer, when
 * its decoder gets no turn: that says nothing of the server.
 */
export function starved(report: PlayerReport): string[] {
  return report.stalls.filter((stall) => {
    const [, position, end] = /at ([\d.]+) in [\d.]+-([\d.]+)/.exec(stall) ?? [];
    return position === undefined || end === undefined || Number(position) > Number(end) - DRY_SECONDS;
  });
}
