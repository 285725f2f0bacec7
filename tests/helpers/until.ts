/** Minimum and maximum pause between two polls, in milliseconds. */
const PAUSE_MS = 25;
const MAX_PAUSE_MS = 100;
/** Pause as a fraction of the elapsed time, because each poll takes processor time from playback. */
const PAUSE_SHARE = 0.1;
/** Maximum duration of a turn that counts towards the limit, in milliseconds. */
const COUNTED_MS = 200;

/**
 * Polls until there is an answer or the limit is reached. The limit is longer on a busy machine, because all other processes
 * are slow, too.
 *
 * @param what expected event, for the error message
 * @param condition returns undefined or false until the event has happened
 * @param details returns more text for the error message
 */
export async function until<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs: number,
  details: () => string | Promise<string> = () => '',
): Promise<T> {
  let waitedMs = 0;
  for (let pollMs = performance.now(), now = pollMs; ; pollMs = now) {
    const answer = await condition();
    if (answer !== undefined && answer !== false) return answer;
    if (waitedMs > limitMs) throw new Error(`no ${what} after ${limitMs} ms\n${await details()}`);
    const pauseMs = Math.min(Math.max(waitedMs * PAUSE_SHARE, PAUSE_MS), MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    now = performance.now();
    waitedMs += Math.min(now - pollMs, COUNTED_MS);
  }
}
