import { beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import type { LoginKind } from './access-rule.ts';
import { DeskSessions, SESSION_IDLE_MS, MAX_DESK_SESSIONS, type StoredDeskSession } from './desk-sessions.ts';
import { WriteBehindMap } from './write-behind-map.ts';
import type { ConfiguredLogin } from './login-check.ts';

const BOTH = new Map<LoginKind, ConfiguredLogin>([
  ['view', { login: 'guest', password: 'look' }],
  ['edit', { login: 'boss', password: 'change' }],
]);
const EDIT: ReadonlySet<LoginKind> = new Set(['edit']);
const BROWSER = { address: '192.0.2.7', agent: 'Browser' };
const clock = new FakeClock();
let stored: Map<string, StoredDeskSession>;
let sessions: DeskSessions;
const open = (): DeskSessions => {
  const store = {
    all: () => stored,
    save(changes: ReadonlyMap<string, StoredDeskSession | null>) {
      for (const [id, one] of changes) one ? stored.set(id, one) : stored.delete(id);
    },
  };
  return new DeskSessions(
    clock,
    new WriteBehindMap(clock, store, (cause) => {
      throw cause;
    }),
    BOTH,
  );
};
beforeEach(() => {
  stored = new Map();
  sessions = open();
});

it('desk sessions survive a restart, and are stored without their secret', () => {
  const secret = sessions.start('boss', EDIT, BROWSER);
  expect(JSON.stringify([...stored])).not.toContain(secret);
  expect(JSON.stringify([...stored])).not.toContain('change');
  expect(open().find(secret)).toMatchObject({ login: 'boss', kinds: EDIT });
  expect(sessions.find(`${secret.slice(0, -1)}-`)).toBeUndefined();
  expect(sessions.find('x'.repeat(1_000_000))).toBeUndefined();
});

it('desk sessions end when their login or its password changes', () => {
  const secret = sessions.start('boss', EDIT, BROWSER);
  sessions.apply(new Map(BOTH).set('edit', { login: 'boss', password: 'other' }));
  expect(sessions.find(secret)).toBeUndefined();
  sessions.apply(new Map([['view', { login: 'boss', password: 'change' }]]));
  expect(sessions.find(secret)).toBeUndefined();
  // Rolling back a change on probation does not force operators to log in again.
  sessions.apply(BOTH);
  expect(sessions.find(secret)?.login).toBe('boss');
});

it('desk sessions end on logout, after a week without use, and beyond the maximum number, the oldest first', () => {
  const ended: string[] = [];
  sessions.onEnd((id) => ended.push(id));
  const secret = sessions.start('boss', EDIT, BROWSER);
  const id = sessions.find(secret)?.id ?? '';
  sessions.end(id);
  expect([sessions.find(secret), ended, stored.size]).toEqual([undefined, [id], 0]);
  const idle = sessions.start('boss', EDIT, BROWSER);
  clock.advance(SESSION_IDLE_MS - 1000);
  const used = sessions.start('boss', EDIT, BROWSER);
  clock.advance(2000);
  expect([sessions.find(idle), sessions.find(used)?.login]).toEqual([undefined, 'boss']);
  clock.advance(1000);
  for (let n = 0; n < MAX_DESK_SESSIONS; n++) sessions.start('boss', EDIT, BROWSER);
  expect([sessions.find(used), stored.size]).toEqual([undefined, MAX_DESK_SESSIONS]);
});

it('desk sessions last while a desk is open', () => {
  const secret = sessions.start('boss', EDIT, BROWSER);
  const id = sessions.find(secret)?.id ?? '';
  for (let day = 0; day < 30; day++) {
    clock.advance(24 * 3_600_000);
    sessions.use(id);
  }
  expect(sessions.find(secret)?.login).toBe('boss');
});
