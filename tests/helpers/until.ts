/**
 * Asks again and again until the answer is there, at most until the deadline.
 *
 * @param what what is waited for, for the message of the failure
 * @param ask gives undefined or false as long as it is not there
 * @param details what else the failure should show
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs: number,
  details: () => string = () => '',
): Promise<T> {
  const limit = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > limit) throw new Error(`no ${what} after ${limitMs} ms\n${details()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
