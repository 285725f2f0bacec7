/** Interval of checks whether the parent is still there. */
const LOOK_MS = 500;

/**
 * Ends this process in order when npm ends. npm sends SIGTERM to the shell between it and us, and many shells die without
 * forwarding it: the loss of the parent counts as the signal.
 */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  timer.unref();
}
