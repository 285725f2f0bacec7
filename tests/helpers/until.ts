/** Shortest and longest pause between two questions, in milliseconds. */
const PAUSE_MS = 25;
const MAX_PAUSE_MS = 100;
/** The pause is such a part of the time that was waited: most questions to a player are asked while seconds pass, and cost it a quarter of what it plays for. */
const PAUSE_SHARE = 0.1;
/** A turn counts as so many milliseconds of the limit at most. */
const COUNTED_MS = 200;

/**
 * Asks again and again until the answer is there, at most for the limit. On a machine that gives this process little time
 * the limit lasts longer: the peers that it waits for get no more.
 *
 * @param what what is waited for, for the message of the failure
 * @param ask gives undefined or false as long as it is not there
 * @param details what else the failure should show
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs: number,
  details: () => string | Promise<string> = () => '',
): Promise<T> {
  let waitedMs = 0;
  for (let asked = performance.now(), now = asked; ; asked = now) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (waitedMs > limitMs) throw new Error(`no ${what} after ${limitMs} ms\n${await details()}`);
    const pauseMs = Math.min(Math.max(waitedMs * PAUSE_SHARE, PAUSE_MS), MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    now = performance.now();
    waitedMs += Math.min(now - asked, COUNTED_MS);
  }
}
