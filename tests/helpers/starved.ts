import type { PlayerReport } from './player-page.ts';
import { SHORT_STALL_MS } from './machine-stalls.ts';

/** Distance from the end of the buffer within which a waiting player lacks media, in seconds. */
const DRY_SECONDS = 0.5;
/** Time after a stall of the machine in which a player may still lack media, in milliseconds. */
const EXCUSED_MS = 5000;

/**
 * Stalls in which a player ran out of media by a fault of the server. Two kinds of stalls are left out: a browser whose decoder
 * is starved by a busy machine, and a player whose machine stalled for longer than its distance from live.
 */
export function starved({ stalls, machineStalls }: PlayerReport): string[] {
  const long = machineStalls.filter(({ ms }) => ms >= SHORT_STALL_MS);
  return stalls.filter((stall) => {
    const [, position, end] = /at ([\d.]+) in [\d.]+-([\d.]+)/.exec(stall) ?? [];
    const atMs = Number(/ by the clock (\d+)$/.exec(stall)?.[1]);
    if (long.some(({ endMs, ms }) => atMs > endMs - ms && atMs < endMs + EXCUSED_MS)) return false;
    return position === undefined || end === undefined || Number(position) > Number(end) - DRY_SECONDS;
  });
}
