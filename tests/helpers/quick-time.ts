import { Socket } from 'node:net';

/** How many times faster time goes. */
const SPEED = Number(process.env['AIRDESK_QUICK_TIME'] ?? 1);
/** From when on, in epoch milliseconds: the same in all threads and processes of a server. */
const SINCE_MS = Number(process.env['AIRDESK_QUICK_SINCE'] ?? Date.now());

// Makes the time of a whole server go faster, loaded before anything else: `node --import`. Its clocks, its timers and those of its connections agree.
const now = Date.now.bind(Date);
Date.now = () => Math.round(SINCE_MS + (now() - SINCE_MS) * SPEED);
const sinceStart = performance.now.bind(performance);
performance.now = () => sinceStart() * SPEED;
for (const name of ['setTimeout', 'setInterval'] as const) {
  const timer = globalThis[name] as (...taken: unknown[]) => unknown;
  const quick = (callback: unknown, delayMs = 0, ...rest: unknown[]): unknown =>
    timer(callback, Number(delayMs) / SPEED, ...rest);
  // What promisify makes of it is slow, which harms nothing.
  Object.assign(globalThis, { [name]: Object.assign(quick, timer) });
}
const idle = Reflect.get<Socket, 'setTimeout'>(Socket.prototype, 'setTimeout');
Socket.prototype.setTimeout = function (this: Socket, ms, callback) {
  return idle.call(this, ms / SPEED, callback);
};
