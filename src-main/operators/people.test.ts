import { beforeEach, describe, expect, it, vi } from 'vitest';
import { scryptSync } from 'node:crypto';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { printPasswordHash } from '../lib/password-hash.ts';
import { Operators, type AccessSettings } from './operators.ts';
import { People, type PeopleStore, type Person } from './people.ts';
import { allows, isInScope, requireAccess } from './require.ts';

const NOTHING: AccessSettings = {
  viewAuth: null,
  editAuth: null,
  apiAuth: null,
  apiTokens: new Map(),
  trustedProxies: [],
  serverNames: [],
  apiOrigins: [],
  wallOrigins: [],
};
const EDIT: AccessSettings = { ...NOTHING, editAuth: { login: 'admin', password: 'open sesame' } };
const ANNA = {
  login: 'anna',
  name: 'Anna Example',
  role: 'operator',
  password: 'correct horse',
  prefixes: [],
} as const;

/** Hash that is cheap to compute, for tests. */
function cheapHash(password: string): string {
  const salt = Buffer.from('0123456789abcdef');
  const hash = scryptSync(password, salt, 32, { N: 1024, r: 1, p: 1 });
  return printPasswordHash({ costLog: 10, blockSize: 1, parallelism: 1, salt, hash });
}

let rows: Map<string, Person>;
const store: PeopleStore = {
  all: () => [...rows.values()],
  save: (person) => rows.set(person.login, person),
  remove: (login) => rows.delete(login),
};
const row = (one: Pick<Person, 'login' | 'role'> & Partial<Person>): Person => ({
  name: '',
  passwordHash: cheapHash('correct horse'),
  isDisabled: false,
  createdMs: 0,
  createdBy: 'admin',
  passwordMs: 0,
  prefixes: [],
  ...one,
});
let clock: FakeClock;
let hasEditLogin: boolean;
const changed = vi.fn();
function open(given: PeopleStore | undefined = store): People {
  return new People({
    clock,
    store: given,
    storeFailed: () => undefined,
    configuredLogins: () => ['Admin'],
    hasEditLogin: () => hasEditLogin,
    changed,
    hash: (password) => Promise.resolve(cheapHash(password)),
  });
}
function start(settings: AccessSettings, people: PeopleStore | undefined = store): Operators {
  return new Operators({ settings, clock, hostname: 'studio', notify: () => undefined, people });
}
const basic = (login: string, password: string): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
const from = (authorization?: string, headers: Readonly<Record<string, string>> = {}, peer = '192.0.2.1') => ({
  peer,
  header: (name: string): string | undefined => (name === 'authorization' ? authorization : headers[name]),
});

beforeEach(() => {
  rows = new Map();
  clock = new FakeClock();
  hasEditLogin = true;
  changed.mockReset();
});

describe('people', () => {
  it('are stored with a password hash, found by login, changed and removed', async () => {
    const people = open();
    await people.create(ANNA, 'admin');
    expect(JSON.stringify([...rows.values()])).not.toContain('correct horse');
    expect(open().list()).toMatchObject([{ login: 'anna', role: 'operator', createdBy: 'admin', isDisabled: false }]);
    people.update('anna', { role: 'clerk', name: 'A. Example' });
    expect(changed).toHaveBeenLastCalledWith('anna', 'rights', undefined);
    people.update('anna', { name: 'Anna' });
    expect(changed).toHaveBeenLastCalledWith('anna', 'none', undefined);
    people.update('anna', { isDisabled: true });
    expect(changed).toHaveBeenLastCalledWith('anna', 'end', undefined);
    await people.setPassword('anna', 'another horse', 'kept');
    expect(changed).toHaveBeenLastCalledWith('anna', 'end', 'kept');
    people.remove('anna');
    expect([people.list(), rows.size]).toEqual([[], 0]);
    expect(() => {
      people.remove('anna');
    }).toThrow(expect.objectContaining({ code: 'person_not_found' }));
  });

  it.each(['anna', 'ANNA', 'admin', 'local', 'token'])(
    'cannot be created with the login %s if it exists or is reserved',
    async (login) => {
      const people = open();
      await people.create(ANNA, 'admin');
      await expect(people.create({ ...ANNA, login }, 'admin')).rejects.toMatchObject({ code: 'person_exists' });
    },
  );

  it('always include a login that can administer the server', async () => {
    hasEditLogin = false;
    const people = open();
    const refused = { code: 'last_administrator' };
    await expect(people.create(ANNA, 'local')).rejects.toMatchObject({ code: 'last_administrator' });
    await people.create({ ...ANNA, login: 'boss', role: 'administrator' }, 'local');
    expect(() => people.update('boss', { isDisabled: true })).toThrow(expect.objectContaining(refused));
    expect(() => people.update('boss', { role: 'viewer' })).toThrow(expect.objectContaining(refused));
    expect(() => {
      people.remove('boss');
    }).toThrow(expect.objectContaining(refused));
    await people.create({ ...ANNA, role: 'administrator' }, 'boss');
    people.update('boss', { isDisabled: true });
    expect(people.find('boss')).toMatchObject({ isDisabled: true });
  });

  it('limited to some streams do not count as administrators of the server', async () => {
    hasEditLogin = false;
    const people = open();
    const limited = { ...ANNA, role: 'administrator', prefixes: ['field'] } as const;
    const refused = { code: 'last_administrator' };
    await expect(people.create(limited, 'local')).rejects.toMatchObject(refused);
    await people.create({ ...limited, login: 'boss', prefixes: [] }, 'local');
    await people.create(limited, 'boss');
    expect(() => people.update('boss', { prefixes: ['studio'] })).toThrow(expect.objectContaining(refused));
    people.update('anna', { prefixes: ['field'] });
    expect(changed).toHaveBeenLastCalledWith('anna', 'none', undefined);
    people.update('anna', { prefixes: ['field', 'van'] });
    expect(changed).toHaveBeenLastCalledWith('anna', 'rights', undefined);
  });

  it('cannot be created with a weak password or without a database', async () => {
    await expect(open({ ...store, all: () => [] }).create({ ...ANNA, password: 'x' }, 'admin')).rejects.toMatchObject({
      code: 'password_weak',
    });
    const none = new People({
      clock,
      store: undefined,
      storeFailed: () => undefined,
      configuredLogins: () => [],
      hasEditLogin: () => true,
      changed,
    });
    await expect(none.create(ANNA, 'admin')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('cannot log in if this version does not know their role', () => {
    rows.set('anna', row({ login: 'anna', role: 'juggler' as 'viewer' }));
    expect(open().find('anna')).toMatchObject({ role: 'viewer', isDisabled: true });
  });
});

describe('the login of a person', () => {
  it('has the rights of the role over HTTP and in a session of the desk', async () => {
    rows.set('anna', row({ login: 'anna', role: 'operator' }));
    const operators = start(EDIT);
    const caller = await operators.identify(from(basic('anna', 'correct horse')), 'general');
    expect(caller).toMatchObject({ who: 'anna', role: 'operator', mayRead: true, mayWrite: false });
    const secret = await operators.logIn(from(), { login: 'anna', password: 'correct horse' });
    const atDesk = await operators.identify(from(), 'general', secret);
    expect(atDesk).toMatchObject({ who: 'anna', role: 'operator' });
    for (const one of [caller, atDesk]) {
      expect(allows(one, 'operate', 'alarms')).toBe(true);
      expect(allows(one, 'edit', 'alarms')).toBe(false);
      expect(allows(one, 'view', undefined)).toBe(false);
      expect(() => {
        requireAccess(one, 'edit', 'configuration');
      }).toThrow(
        expect.objectContaining({
          code: 'role_forbidden',
          details: { role: 'operator', domain: 'configuration', access: 'edit' },
        }),
      );
    }
    expect(operators.sessions.list().map(([, session]) => ['', session])).toMatchObject([
      ['', { login: 'anna', address: '192.0.2.1' }],
    ]);
  });

  it('is limited to the streams of the person, with any role; a change of the streams changes the fingerprint', async () => {
    for (const role of ['operator', 'administrator'] as const)
      rows.set(role, row({ login: role, role, prefixes: ['field'] }));
    const operators = start(EDIT);
    for (const login of ['operator', 'administrator']) {
      const secret = await operators.logIn(from(), { login, password: 'correct horse' });
      for (const request of [[from(basic(login, 'correct horse'))], [from(), secret]] as const) {
        const caller = await operators.identify(request[0], 'general', request[1]);
        expect(caller).toMatchObject({ who: login, prefixes: ['field'] });
        expect(['field', 'field/van', 'fields', 'studio'].map((name) => isInScope(caller, name))).toEqual([
          true,
          true,
          false,
          false,
        ]);
      }
      const before = operators.rightsFingerprint(login);
      operators.people.update(login, { prefixes: [] });
      expect(operators.rightsFingerprint(login)).not.toBe(before);
      expect(await operators.identify(from(), 'general', secret)).not.toHaveProperty('prefixes');
    }
  });

  it('of an administrator can change everything, and local callers then need a login', async () => {
    const local = (operators: Operators): ReturnType<Operators['identify']> =>
      operators.identify(from(undefined, {}, '127.0.0.1'), 'general');
    expect(await local(start(NOTHING))).toMatchObject({ mayWrite: true });
    rows.set('boss', row({ login: 'boss', role: 'administrator' }));
    const operators = start(NOTHING);
    expect(operators.hasEditLogin).toBe(true);
    expect(await local(operators)).toMatchObject({ mayRead: true, mayWrite: false, mustLogIn: true });
    const boss = await operators.identify(from(basic('boss', 'correct horse')), 'general');
    expect(boss).toMatchObject({ who: 'boss', role: 'administrator', mayWrite: true });
    expect(allows(boss, 'edit', undefined)).toBe(true);
  });

  it('can only view from a page of another site', async () => {
    for (const role of ['operator', 'administrator'] as const) rows.set(role, row({ login: role, role }));
    const operators = start(EDIT);
    for (const login of ['operator', 'administrator']) {
      const page = from(basic(login, 'correct horse'), { origin: 'https://evil.example', host: 'studio' });
      const caller = await operators.identify(page, 'general');
      expect(['view', 'operate', 'edit'].map((access) => allows(caller, access as 'view', 'alarms'))).toEqual([
        true,
        false,
        false,
      ]);
    }
  });

  it('is refused if disabled, removed or wrong; such a change ends sessions and notifies desks', async () => {
    rows.set('anna', row({ login: 'anna', role: 'operator' }));
    const operators = start(EDIT);
    const ended: string[] = [];
    operators.onPersonChange((login) => ended.push(login));
    const secret = await operators.logIn(from(), { login: 'anna', password: 'correct horse' });
    const before = operators.rightsFingerprint('anna');
    operators.people.update('anna', { role: 'editor' });
    expect(operators.rightsFingerprint('anna')).not.toBe(before);
    expect(await operators.identify(from(), 'general', secret)).toMatchObject({ role: 'editor' });
    operators.people.update('anna', { isDisabled: true });
    expect(ended).toEqual(['anna', 'anna']);
    expect(operators.sessions.list()).toEqual([]);
    expect(await operators.identify(from(), 'general', secret)).toMatchObject({ who: 'anyone', mustLogIn: true });
    const refused = await operators.identify(from(basic('anna', 'correct horse')), 'general');
    expect(refused).toMatchObject({ who: 'anyone', mayRead: false, mustLogIn: true });
    await expect(operators.logIn(from(), { login: 'anna', password: 'correct horse' })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    operators.people.update('anna', { isDisabled: false });
    for (const password of ['wrong horse', 'correct horse']) {
      if (password === 'correct horse') operators.people.remove('anna');
      expect(await operators.identify(from(basic('anna', password)), 'general')).toMatchObject({ who: 'anyone' });
    }
  });

  it('does not affect edit_auth, which works without the store of people', async () => {
    const broken: PeopleStore = {
      ...store,
      all() {
        throw new Error('no such table');
      },
    };
    for (const people of [undefined, broken]) {
      const caller = await start(EDIT, people).identify(from(basic('admin', 'open sesame')), 'general');
      expect(caller).toMatchObject({ who: 'admin', mayWrite: true });
      expect(caller.role).toBeUndefined();
    }
  });

  it('has a password that the person can change, which ends the other sessions', async () => {
    rows.set('anna', row({ login: 'anna', role: 'operator' }));
    const operators = start(EDIT);
    const anna = { login: 'anna', password: 'correct horse' };
    const [here, elsewhere] = [await operators.logIn(from(), anna), await operators.logIn(from(), anna)];
    const caller = await operators.identify(from(), 'general', here);
    const received: unknown[] = [];
    operators.onPersonChange((...change) => received.push(change));
    await expect(operators.changeOwnPassword(caller, 'wrong', 'another horse')).rejects.toMatchObject({
      code: 'password_wrong',
    });
    for (const [password, reason] of [
      ['correct horse', 'unchanged'],
      ['short', 'too_short'],
    ] as const)
      await expect(operators.changeOwnPassword(caller, 'correct horse', password)).rejects.toMatchObject({
        code: 'password_weak',
        details: { reason },
      });
    expect(received).toEqual([]);
    await operators.changeOwnPassword(caller, 'correct horse', 'another horse');
    expect(received).toEqual([['anna', caller.session]]);
    expect(await operators.identify(from(), 'general', here)).toMatchObject({ who: 'anna', role: 'operator' });
    expect(await operators.identify(from(), 'general', elsewhere)).toMatchObject({ who: 'anyone' });
    expect(await operators.identify(from(basic('anna', 'correct horse')), 'general')).toMatchObject({ who: 'anyone' });
    // A later reset by an administrator ends the session.
    await operators.people.setPassword('anna', 'a third horse');
    expect(await operators.identify(from(), 'general', here)).toMatchObject({ who: 'anyone' });
  });

  it('is delayed after wrong guesses of the current password, and a configured login has no password to change here', async () => {
    rows.set('anna', row({ login: 'anna', role: 'viewer' }));
    const operators = start(EDIT);
    const caller = await operators.identify(from(basic('anna', 'correct horse')), 'general');
    for (let guess = 0; guess < 10; guess++)
      await expect(operators.changeOwnPassword(caller, `guess ${guess}`, 'another horse')).rejects.toMatchObject({
        code: 'password_wrong',
      });
    await expect(operators.changeOwnPassword(caller, 'correct horse', 'another horse')).rejects.toMatchObject({
      code: 'too_many_attempts',
    });
    const admin = await operators.identify(from(basic('admin', 'open sesame'), {}, '192.0.2.2'), 'general');
    await expect(operators.changeOwnPassword(admin, 'open sesame', 'another horse')).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('is delayed after wrong passwords like every other login', async () => {
    rows.set('anna', row({ login: 'anna', role: 'operator' }));
    const operators = start(EDIT);
    const attempts = Array.from({ length: 10 }, (_, index) => basic('anna', `wrong ${index}`));
    for (const attempt of attempts) await operators.identify(from(attempt), 'general');
    await expect(operators.identify(from(basic('anna', 'correct horse')), 'general')).rejects.toMatchObject({
      code: 'too_many_attempts',
    });
  });
});
