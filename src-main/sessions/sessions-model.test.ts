import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { OPEN_POLICY, type AccessPolicy } from './access-policy.ts';
import type { Verdict } from './backend-answer.ts';
import { NO_SESSION_EVENTS } from './session-events.ts';
import { Sessions } from './sessions.ts';

const SILENT_MS = 30_000;
const POLICY: AccessPolicy = {
  ...OPEN_POLICY,
  fingerprint: 'asked',
  backends: [{ location: { kind: 'file', path: '/dev/null' }, extra: {} }],
  isAllowedByDefault: false,
};

/** Planned answer of the backend for a token. */
type Plan = {
  readonly user: string;
  readonly limit: number | null;
  readonly seconds: number;
  readonly kind: 'allow' | 'deny' | 'failed';
};

/** Model of the sessions: expected sessions by token, in the order of their opening. */
class Model {
  readonly running = new Map<string, { user: string; lastMs: number; askAgainMs: number; durationMs: number }>();
  /** End of the refusal of each token. */
  readonly refusedUntilMs = new Map<string, number>();
  readonly limits = new Map<string, number | null>();

  ban(token: string, now: number): void {
    const session = this.running.get(token);
    if (!session) return;
    this.running.delete(token);
    this.refusedUntilMs.set(token, now + session.durationMs);
  }

  /** Expires sessions of a user. @param isOtherPending true if a request for another session of the user is running */
  allow(token: string, { user, limit, seconds }: Plan, now: number, isNew: boolean, isOtherPending: boolean): void {
    const existing = this.running.get(token);
    const session = existing ?? { user, lastMs: now, askAgainMs: 0, durationMs: 0 };
    Object.assign(session, { user, askAgainMs: now + seconds * 1000, durationMs: seconds * 1000 });
    if (isNew) this.running.set(token, session);
    // Without a new limit, a running session keeps its limit.
    if (limit !== null || isNew) this.limits.set(user, limit);
    if (!isOtherPending) this.limit(user, now);
  }

  limit(user: string, now: number): void {
    const allowed = this.limits.get(user) ?? null;
    const own = [...this.running].filter(([, other]) => other.user === user).map(([name]) => name);
    if (allowed !== null) for (const surplus of own.slice(0, Math.max(0, own.length - allowed))) this.ban(surplus, now);
  }
}

const plan = fc.record({
  user: fc.constantFrom('u', 'v'),
  limit: fc.constantFrom(1, 2),
  seconds: fc.integer({ min: 1, max: 50 }),
  kind: fc.constantFrom<Plan['kind']>('allow', 'allow', 'allow', 'deny', 'failed'),
});
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('request' as const), token: fc.constantFrom('a', 'b', 'c', 'd'), plan }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('close' as const), token: fc.constantFrom('a', 'b', 'c', 'd') }),
  },
);

async function settled(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await Promise.resolve();
}

describe('sessions, limits and bans', () => {
  it('match the model after any actions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = new FakeClock();
        const model = new Model();
        const plans = new Map<string, Plan>();
        const questions: string[] = [];
        const sessions = new Sessions({
          clock,
          log: silentLog,
          authority: {
            authorize: (_policy, { token, isNew }): Promise<Verdict> => {
              questions.push(`${token} ${isNew}`);
              // A token keeps its user; later answers for a session may differ.
              const { kind, limit, seconds, user } = plans.get(token) ?? {
                kind: 'failed',
                limit: null,
                seconds: 1,
                user: '',
              };
              if (kind === 'failed') return Promise.resolve({ kind, reason: 'down' });
              if (kind === 'deny') return Promise.resolve({ kind, durationMs: seconds * 1000, reason: 'no' });
              return Promise.resolve({
                kind,
                durationMs: seconds * 1000,
                userId: user,
                maxSessions: limit,
                adInject: undefined,
              });
            },
          },
          events: NO_SESSION_EVENTS,
          policyOf: () => POLICY,
          countryOf: () => null,
        });
        const answered = (token: string, now: number, isNew: boolean, others: readonly string[] = []): void => {
          const decided = plans.get(token);
          if (!decided) return;
          const isOtherPending = others.some((other) => model.running.get(other)?.user === decided.user);
          if (decided.kind === 'allow') model.allow(token, decided, now, isNew, isOtherPending);
          else if (decided.kind === 'deny') {
            model.running.delete(token);
            model.refusedUntilMs.set(token, now + decided.seconds * 1000);
          } else if (isNew) model.refusedUntilMs.set(token, now + 3000);
          else (model.running.get(token) as { askAgainMs: number }).askAgainMs = now + 15_000;
          if (!isOtherPending) model.limit(decided.user, now);
        };
        for (const each of steps) {
          if (each.do === 'request') {
            const now = clock.now();
            const before = plans.get(each.token);
            plans.set(each.token, { ...each.plan, user: before?.user ?? each.plan.user });
            const admission =
              sessions.of('cam', '192.0.2.1', each.token, 'hls') ??
              sessions.admit({
                name: 'cam',
                ip: '192.0.2.1',
                token: each.token,
                proto: 'hls',
                userAgent: '',
                referer: '',
                host: '',
                queryString: '',
                isOpening: true,
                silentMs: SILENT_MS,
              });
            await settled();
            const running = model.running.get(each.token);
            const isRefused = (model.refusedUntilMs.get(each.token) ?? 0) > now;
            if (running) {
              running.lastMs = now;
              const session = sessions.of('cam', '192.0.2.1', each.token, 'hls');
              if (session) session.lastMs = now;
              expect('visitor' in admission).toBe(true);
            } else if (isRefused) expect(admission).toMatchObject({ kind: 'refused' });
            else {
              expect(admission).toMatchObject({ kind: 'wait' });
              answered(each.token, now, true);
            }
          } else if (each.do === 'pass') {
            for (let second = 0; second < each.seconds; second++) {
              clock.advance(1000);
              const now = clock.now();
              sessions.sweep();
              await settled();
              const due: string[] = [];
              for (const [token, session] of model.running) {
                if (now - session.lastMs > SILENT_MS) model.running.delete(token);
                else if (now >= session.askAgainMs) due.push(token);
              }
              for (const [at, token] of due.entries())
                if (model.running.has(token)) answered(token, now, false, due.slice(at + 1));
            }
          } else {
            const session = sessions.of('cam', '192.0.2.1', each.token, 'hls');
            expect(session !== undefined).toBe(model.running.has(each.token));
            if (session) sessions.ban(session);
            model.ban(each.token, clock.now());
          }
          expect([...sessions.list()].map(({ visitor }) => visitor.token)).toEqual([...model.running.keys()]);
          expect(sessions.count).toBe(model.running.size);
        }
        sessions.close();
        expect([sessions.count, [...sessions.list()]]).toEqual([0, []]);
      }),
      { numRuns: 150 },
    );
  });
});
