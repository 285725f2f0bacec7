import type { IncomingMessage } from 'node:http';
import { AirdeskError } from '../../src-preload/contract/index.ts';
import type { Caller } from '../control/caller.ts';

/** Whoever sent a request: without credentials in the configuration the machine itself may change things, and everybody may look. */
export function callerOf(request: IncomingMessage): Caller {
  const address = request.socket.remoteAddress ?? '';
  const isLocal = isLoopback(address);
  return { mayRead: true, mayWrite: isLocal, who: isLocal ? 'local' : 'anyone', address };
}

/** Raises `forbidden` unless the caller may change things. */
export function requireWrite(caller: Caller): void {
  if (!caller.mayWrite) throw new AirdeskError('forbidden', 'Changes are only taken from the machine that the server runs on');
}

/** Whether an address is the machine itself. */
export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && (address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.'));
}
