import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Calls back when no bytes of a body arrived for a time, and at each further silence. After a stall of this process, its
 * timers run before the bytes that waited are read, so these are read first. A paused body is not silent.
 * @param request request on either side of the connection
 */
export function whenSilent(
  request: ClientRequest | IncomingMessage,
  body: IncomingMessage,
  silenceMs: number,
  silent: () => void,
): void {
  let chunks = 0;
  body.on('data', () => chunks++);
  request.setTimeout(silenceMs);
  request.on('timeout', () => {
    const before = chunks;
    setImmediate(() => {
      if (chunks === before && !body.isPaused()) silent();
    });
  });
}
