import { isDeepStrictEqual } from 'node:util';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import {
  PASSWORD_WEAKNESSES,
  passwordWeakness,
  type PasswordWeakness,
} from '../../src-preload/contract/password-rules.ts';
import { ROLES, type Role } from '../../src-preload/contract/operations/roles.ts';
import type { Clock } from '../lib/clock.ts';
import { hashPassword } from '../lib/password-hash.ts';

/** Named login of a person. */
export interface Person {
  readonly login: string;
  /** Full name, for the list; may be empty. */
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  readonly isDisabled: boolean;
  readonly createdMs: number;
  readonly createdBy: string;
  /** Last change of the password, epoch milliseconds. */
  readonly passwordMs: number;
  /** Streams that the person may see and act on, with all names below them; empty for all streams. */
  readonly prefixes: readonly string[];
}

/** Persistent store of people. */
export interface PeopleStore {
  all(): readonly (Omit<Person, 'role'> & { readonly role: string })[];
  save(person: Person): void;
  remove(login: string): void;
}

export interface PeopleOptions {
  readonly clock: Clock;
  /** Store of people; undefined without a database, and then no person can be added. */
  readonly store: PeopleStore | undefined;
  readonly storeFailed: (cause: unknown) => void;
  /** Returns the logins of the configuration, which a person cannot have. */
  readonly configuredLogins: () => readonly string[];
  /** Whether `edit_auth` is configured, so that the server can be administered without people. */
  readonly hasEditLogin: () => boolean;
  /** Called after a change. @param keptSession session of the desk that continues; absent if none does */
  readonly changed: (login: string, effect: PersonEffect, keptSession?: string) => void;
  /** Default: scrypt outside the server thread. */
  readonly hash?: (password: string) => Promise<string>;
}

/**
 * Effect of a change on open desks of the person: `none`; `rights`: they connect again with other rights; `end`: their sessions
 * end.
 */
export type PersonEffect = 'none' | 'rights' | 'end';

/** Maximum number of people. */
const MAX_PEOPLE = 1000;
/** Reserved names: names of callers without a login, and causes of configuration changes. */
const RESERVED = new Set(['local', 'desk', 'anyone', 'token', 'start', 'file', 'timer']);

/** Named logins, in memory and in the database. If the database cannot be read, there are none, and `edit_auth` still works. */
export class People {
  readonly #options: PeopleOptions;
  readonly #people: Map<string, Person>;

  constructor(options: PeopleOptions) {
    this.#options = options;
    this.#people = new Map(this.#stored().map((person) => [person.login, person]));
  }

  /** All people, by login. */
  list(): readonly Person[] {
    return [...this.#people.values()].sort((a, b) => (a.login < b.login ? -1 : 1));
  }

  /** Finds a person by the login; undefined if there is none. */
  find(login: string): Person | undefined {
    return this.#people.get(login.normalize('NFC'));
  }

  /** Whether an enabled person is an administrator of all streams. */
  get hasAdministrator(): boolean {
    return this.list().some(isAdministrator);
  }

  /** Adds a person. Raises `person_exists`, `password_weak`, `last_administrator`, `too_many_people` or `unavailable`. */
  async create(
    {
      login: given,
      password,
      ...about
    }: Pick<Person, 'login' | 'name' | 'role' | 'prefixes'> & { readonly password: string },
    by: string,
  ): Promise<Person> {
    const login = given.normalize('NFC');
    this.#requireFree(login);
    requireStrongPassword(password, login);
    const passwordHash = await this.#hash(password);
    // Another request may have added the login in the meantime.
    this.#requireFree(login);
    const nowMs = this.#options.clock.now();
    const person = {
      login,
      ...about,
      passwordHash,
      isDisabled: false,
      createdMs: nowMs,
      createdBy: by,
      passwordMs: nowMs,
    };
    this.#requireAdministrator(new Map([...this.#people, [login, person]]));
    this.#save(person, 'none');
    return person;
  }

  /** Changes a person. A disabled person's sessions end. Raises `person_not_found` or `last_administrator`. */
  update(login: string, change: Partial<Pick<Person, 'name' | 'role' | 'isDisabled' | 'prefixes'>>): Person {
    const before = this.#require(login);
    const person = { ...before, ...change };
    this.#requireAdministrator(new Map([...this.#people, [person.login, person]]));
    const hasSameRights = person.role === before.role && isDeepStrictEqual(person.prefixes, before.prefixes);
    this.#save(person, person.isDisabled ? 'end' : hasSameRights ? 'none' : 'rights');
    return person;
  }

  /**
   * Sets a new password and ends the person's sessions. Raises `person_not_found` or `password_weak`.
   * @param keptSession session that continues; default: none
   */
  async setPassword(login: string, password: string, keptSession?: string): Promise<Person> {
    requireStrongPassword(password, this.#require(login).login);
    const passwordHash = await this.#hash(password);
    const person = { ...this.#require(login), passwordHash, passwordMs: this.#options.clock.now() };
    this.#save(person, 'end', keptSession);
    return person;
  }

  /** Removes a person and ends their sessions. Raises `person_not_found` or `last_administrator`. */
  remove(login: string): void {
    const person = this.#require(login);
    const rest = new Map(this.#people);
    rest.delete(person.login);
    this.#requireAdministrator(rest);
    this.#store().remove(person.login);
    this.#people.delete(person.login);
    this.#options.changed(person.login, 'end');
  }

  #save(person: Person, effect: PersonEffect, keptSession?: string): void {
    this.#store().save(person);
    this.#people.set(person.login, person);
    this.#options.changed(person.login, effect, keptSession);
  }

  #hash(password: string): Promise<string> {
    return (this.#options.hash ?? hashPassword)(password);
  }

  #store(): PeopleStore {
    const { store } = this.#options;
    if (!store) throw new AirdeskError('unavailable', 'People cannot be stored, because the database is not open');
    return store;
  }

  #require(login: string): Person {
    const person = this.find(login);
    if (!person) throw new AirdeskError('person_not_found', `There is no person with the login ${login.slice(0, 100)}`);
    return person;
  }

  #requireFree(login: string): void {
    this.#store();
    const key = login.toLowerCase();
    const taken = [...this.#people.keys(), ...this.#options.configuredLogins(), ...RESERVED];
    if (taken.some((one) => one.normalize('NFC').toLowerCase() === key))
      throw new AirdeskError('person_exists', `The login ${login} is already in use. Choose another one`, { login });
    if (this.#people.size >= MAX_PEOPLE)
      throw new AirdeskError('too_many_people', `There may be at most ${MAX_PEOPLE} people. Remove some first`);
  }

  /** Raises `last_administrator` unless a login can administer the server. */
  #requireAdministrator(people: ReadonlyMap<string, Person>): void {
    if (this.#options.hasEditLogin() || [...people.values()].some(isAdministrator)) return;
    throw new AirdeskError(
      'last_administrator',
      'At least one login must be able to administer the server. Give another person the role administrator for all streams, or set edit_auth in the configuration, and try again',
    );
  }

  #stored(): readonly Person[] {
    try {
      return (this.#options.store?.all() ?? []).flatMap((person) => {
        const role = ROLES.find((one) => one === person.role);
        // A role that this version does not know gives no access.
        return [role === undefined ? { ...person, role: 'viewer' as const, isDisabled: true } : { ...person, role }];
      });
    } catch (cause) {
      this.#options.storeFailed(cause);
      return [];
    }
  }
}

function requireStrongPassword(password: string, login: string): void {
  const weakness = passwordWeakness(password, login);
  if (weakness) throw weakPassword(weakness);
}

/** Refusal of a password, with the reason. */
export function weakPassword(reason: PasswordWeakness): AirdeskError {
  return new AirdeskError('password_weak', PASSWORD_WEAKNESSES[reason], { reason });
}

function isAdministrator({ role, isDisabled, prefixes }: Person): boolean {
  return role === 'administrator' && !isDisabled && prefixes.length === 0;
}
