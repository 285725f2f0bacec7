import type { Log } from '../../lib/log.ts';
import type { LoginNotice } from './access.ts';

/** Writes a wrong login into the log, with its event. */
export function noteLogin(log: Log, { event, address, login }: LoginNotice): void {
  const message = event === 'login_slowed' ? 'too many wrong logins; their address has to wait' : 'a wrong login was refused';
  log.warn(message, { event, address, ...(login === null ? {} : { login }) });
}
