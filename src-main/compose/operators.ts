import { hostname } from 'node:os';
import type { EventEmitter } from '../events/event-bus.ts';
import { Operators, type AccessSettings } from '../operators/operators.ts';
import { messageOf } from '../lib/error-message.ts';
import type { ServerOptions } from './server-options.ts';
import type { Storage } from './storage.ts';

/** Dependencies of `openOperators`. */
export interface OperatorsDeps extends Pick<ServerOptions, 'clock' | 'log'> {
  readonly settings: AccessSettings;
  readonly events: EventEmitter;
  readonly storage: Pick<Storage, 'tokenUses' | 'deskSessions' | 'people'>;
}

/** Opens the unit that identifies the caller of each request. Emits events for the first use of a login and for wrong logins. */
export function openOperators({ clock, log, settings, events, storage }: OperatorsDeps): Operators {
  return new Operators({
    settings,
    clock,
    hostname: hostname(),
    tokenUses: storage.tokenUses,
    deskSessions: storage.deskSessions,
    people: storage.people,
    storeFailed: (cause) => {
      log.warn('uses of API tokens, sessions of desks and people cannot be stored', { error: messageOf(cause) });
    },
    notify: ({ event, address, login }) => {
      if (event === 'login_accepted') events.emit('login_accepted', { ip: address, user: login ?? '' });
      else events.emit('auth_failed', { ip: address, user: login, is_slowed: event === 'login_slowed' });
    },
  });
}
