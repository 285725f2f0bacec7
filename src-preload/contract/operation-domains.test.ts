import { describe, expect, it } from 'vitest';
import { listedOperations } from '../../tests/helpers/api-operations.ts';
import { CALLS } from './calls.ts';
import { domainOf } from './operation-domains.ts';
import { ACCESSES, DOMAINS, ROLES, roleAllows, SERVER_DOMAINS, type Access } from './operations/roles.ts';

/** Accesses that need no login, or a key instead of a login. */
const WITHOUT_LOGIN = new Set(['public', 'probe', 'portal_key']);
const OPERATIONS = [
  ...Object.entries(CALLS).map(([id, { access }]) => ({ id, access })),
  ...listedOperations().filter(({ access }) => !WITHOUT_LOGIN.has(access)),
] as readonly { readonly id: string; readonly access: Access }[];

const allowed = (role: (typeof ROLES)[number]): string[] =>
  OPERATIONS.filter(({ id, access }) => roleAllows(role, domainOf(id), access)).map(({ id }) => id);

describe('roles', () => {
  it('are defined for every operation by its domain', () => {
    expect(OPERATIONS.filter(({ id }) => domainOf(id) === undefined)).toEqual([]);
  });

  it('have SERVER_DOMAINS that contain every domain without calls about streams, except the log', () => {
    const scoped = new Set(
      Object.entries(CALLS).flatMap(([call, { about }]) => (about === 'server' ? [] : [domainOf(call)])),
    );
    // The log is the call `events.recent`, which every desk needs.
    expect(DOMAINS.filter((domain) => !scoped.has(domain) && domain !== 'log')).toEqual([...SERVER_DOMAINS]);
  });

  it('have no access to operations without a domain', () => {
    for (const role of ROLES)
      for (const access of ACCESSES) expect(roleAllows(role, domainOf('nothing.known'), access)).toBe(false);
  });

  it('include lower accesses, and the administrator has every access', () => {
    for (const domain of DOMAINS)
      for (const role of ROLES) {
        const [view, operate, edit] = ACCESSES.map((access) => roleAllows(role, domain, access));
        expect([view || !operate, operate || !edit]).toEqual([true, true]);
        if (role === 'administrator') expect(edit).toBe(true);
      }
    expect(allowed('administrator')).toHaveLength(OPERATIONS.length);
  });

  it.each(['viewer', 'operator', 'editor', 'clerk'] as const)(
    'of a %s cannot operate configuration, people, portals and system',
    (role) => {
      for (const domain of ['configuration', 'people', 'portals', 'system'] as const)
        expect([role, domain, roleAllows(role, domain, 'operate')]).toEqual([role, domain, false]);
      expect(allowed(role).filter((id) => id.startsWith('config.'))).toEqual(['config.state']);
    },
  );

  it.each([
    ['viewer', 'streams.list', true],
    ['viewer', 'archive.streams', true],
    ['viewer', 'alarms.acknowledge', false],
    ['viewer', 'sessions.list', false],
    ['operator', 'streams.select_input', true],
    ['operator', 'alarm_acknowledge', true],
    ['operator', 'ads.splice_insert', true],
    ['operator', 'streams.remove', false],
    ['operator', 'clips.delete', false],
    ['operator', 'subscribers.list', false],
    ['editor', 'clips.conform', true],
    ['editor', 'dvr_export_job_create', true],
    ['editor', 'ads.splice_insert', true],
    ['editor', 'streams.restart', false],
    ['editor', 'auth_backend_save', false],
    ['clerk', 'subscribers.change', true],
    ['clerk', 'portals.verify', true],
    ['clerk', 'portals.create_key', false],
    ['clerk', 'alarms.list', false],
    ['clerk', 'stream_delete', false],
  ] as const)('allow a %s to call %s: %s', (role, id, isAllowed) => {
    expect(allowed(role).includes(id)).toBe(isAllowed);
  });
});
