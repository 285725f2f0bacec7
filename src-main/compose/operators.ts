import { hostname } from 'node:os';
import type { EventEmitter } from '../events/event-bus.ts';
import { Operators, type AccessSettings } from '../operators/operators.ts';
import type { ServerOptions } from './server-options.ts';

/** What the logins are opened with. */
export interface OperatorsDeps extends Pick<ServerOptions, 'clock'> {
  readonly settings: AccessSettings;
  readonly events: EventEmitter;
}

/** Makes what identifies the caller of every request; wrong logins are emitted as events. */
export function openOperators({ clock, settings, events }: OperatorsDeps): Operators {
  return new Operators({
    settings,
    clock,
    hostname: hostname(),
    notify: ({ event, address, login }) => {
      events.emit('auth_failed', { ip: address, user: login, is_slowed: event === 'login_slowed' });
    },
  });
}
