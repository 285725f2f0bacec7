import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { PEOPLE_OPERATIONS, PersonObject } from '../../../src-preload/contract/operations/people.ts';
import type { DeskSessions } from '../../operators/desk-sessions.ts';
import type { Handlers } from '../../operators/handlers.ts';
import type { Operators } from '../../operators/operators.ts';
import type { People, Person } from '../../operators/people.ts';

/** Named logins, and the sessions of desks in browsers. */
export interface PeopleServices extends Pick<Operators, 'changeOwnPassword'> {
  readonly people: Pick<People, 'list' | 'create' | 'update' | 'setPassword' | 'remove'>;
  readonly sessions: Pick<DeskSessions, 'list' | 'end'>;
}

export function peopleOperations({ logins }: { readonly logins: PeopleServices }): Handlers<typeof PEOPLE_OPERATIONS> {
  const { people, sessions } = logins;
  const shown = (person: Person): PersonObject => personObject(person, logins);
  return {
    'people.list': () => ({ people: people.list().map(shown) }),
    'people.create': async ({ full_name: name, prefixes = [], ...about }, { by }) =>
      shown(await people.create({ name, prefixes, ...about }, by.who)),
    'people.update': ({ login, full_name: name, role, prefixes, is_disabled: isDisabled }) =>
      shown(
        people.update(login, {
          ...(name === undefined ? {} : { name }),
          ...(role === undefined ? {} : { role }),
          ...(prefixes === undefined ? {} : { prefixes }),
          ...(isDisabled === undefined ? {} : { isDisabled }),
        }),
      ),
    'people.set_password': async ({ login, password }) => shown(await people.setPassword(login, password)),
    'people.change_own_password': ({ current_password: current, password }, { caller }) =>
      logins.changeOwnPassword(caller, current, password),
    'people.remove': ({ login }) => {
      people.remove(login);
    },
    'people.sessions': (_, { caller }) => ({
      sessions: sessions
        .list()
        .map(([id, { login, startedMs, usedMs, address, agent }]) => ({
          id,
          login,
          started_at: startedMs === 0 ? null : startedMs,
          used_at: usedMs,
          address,
          agent,
          is_own: caller.session === id,
        }))
        .sort((a, b) => b.used_at - a.used_at),
    }),
    'people.end_session': ({ id }) => {
      if (!sessions.list().some(([one]) => one === id))
        throw new AirdeskError('not_found', 'This session has already ended');
      sessions.end(id);
    },
  };
}

function personObject(person: Person, { sessions }: PeopleServices): PersonObject {
  const { login, name, role, prefixes, isDisabled, createdMs, createdBy, passwordMs } = person;
  return {
    login,
    full_name: name,
    role,
    prefixes: [...prefixes],
    is_disabled: isDisabled,
    created_at: createdMs,
    created_by: createdBy,
    password_changed_at: passwordMs,
    session_count: sessions.list().filter(([, session]) => session.login === login).length,
  };
}
