import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Calls back each time that no bytes of a body arrived for a while. After a stall of this process, timers run before the
 * waiting bytes are read, so the callback comes only if there were none. A paused body is not silent.
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
