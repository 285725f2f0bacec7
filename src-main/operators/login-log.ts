import type { EventEmitter } from '../events/event-bus.ts';
import type { Log } from '../lib/log.ts';
import type { LoginNotice } from './operators.ts';

/** Writes a wrong login into the log, and tells of it as an event. */
export function noteLogin(log: Log, events: EventEmitter, { event, address, login }: LoginNotice): void {
  const isSlowed = event === 'login_slowed';
  log.warn(isSlowed ? 'too many wrong logins; their address has to wait' : 'a wrong login was refused', {
    event: 'auth_failed',
    is_slowed: isSlowed,
    address,
    ...(login === null ? {} : { login }),
  });
  events.emit('auth_failed', { ip: address, user: login, is_slowed: isSlowed });
}
