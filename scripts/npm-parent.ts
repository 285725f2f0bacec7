/** Interval of checks whether the parent process exists. */
const CHECK_MS = 500;

/**
 * Ends this process cleanly when npm ends. npm sends SIGTERM to the shell between npm and this process, but many shells exit
 * without forwarding it. Therefore the end of the parent process is handled like the signal.
 */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, CHECK_MS);
  timer.unref();
}
