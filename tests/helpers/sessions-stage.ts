import { expect } from 'vitest';
import { silentLog } from '../../src-main/lib/log.ts';
import { OPEN_POLICY, type AccessPolicy } from '../../src-main/sessions/access-policy.ts';
import type { Admission, Arrival } from '../../src-main/sessions/admission.ts';
import type { Verdict } from '../../src-main/sessions/backend-answer.ts';
import type { Question } from '../../src-main/sessions/backend-question.ts';
import type { Session } from '../../src-main/sessions/session.ts';
import { Sessions } from '../../src-main/sessions/sessions.ts';
import { FakeClock } from './fake-clock.ts';
import { settled } from './settled.ts';

/** Policy with an authorization backend. */
export const WITH_BACKEND: AccessPolicy = {
  ...OPEN_POLICY,
  fingerprint: 'asked',
  backends: [{ location: { kind: 'http', url: 'http://127.0.0.1:1/' }, extra: {} }],
  isAllowedByDefault: false,
};
/** Policy of a stream that subscribers of a portal may play. */
const SUBSCRIBED: AccessPolicy = {
  ...WITH_BACKEND,
  fingerprint: 'subscribed',
  backends: [{ location: { kind: 'subscribers', portal: 'city' }, extra: {} }],
};
/** Answer of the backend that allows playback. */
export const ALLOWED: Extract<Verdict, { kind: 'allow' }> = {
  kind: 'allow',
  durationMs: 180_000,
  userId: null,
  maxSessions: null,
  adInject: undefined,
};

/** Sessions of some streams, a backend that the test controls, and the recorded events. */
export class SessionsStage {
  readonly clock = new FakeClock();
  readonly questions: (Question & { readonly answer: (verdict: Verdict) => Promise<void> })[] = [];
  readonly happened: string[] = [];
  /** Reported numbers of viewers, in order. */
  readonly watchers: [name: string, viewers: number][] = [];
  readonly policies = new Map<string, AccessPolicy>([
    ['subscribed', SUBSCRIBED],
    ['open', OPEN_POLICY],
    ['asked', WITH_BACKEND],
    ['other', WITH_BACKEND],
  ]);
  /** Immediate answer of the backend; undefined if the test answers. */
  verdict: Verdict | undefined;
  readonly sessions = new Sessions({
    clock: this.clock,
    log: silentLog,
    authority: {
      authorize: (_policy, question) => {
        const { verdict } = this;
        if (verdict) {
          this.questions.push({ ...question, answer: () => Promise.resolve() });
          return Promise.resolve(verdict);
        }
        return new Promise((resolve) => {
          this.questions.push({
            ...question,
            answer: async (given) => {
              resolve(given);
              await settled();
            },
          });
        });
      },
    },
    events: {
      opened: ({ name, visitor }) => this.happened.push(`opened ${name} ${visitor.token}`),
      started: ({ name }) => this.happened.push(`started ${name}`),
      updated: ({ name }) => this.happened.push(`updated ${name}`),
      closed: ({ name, visitor }, reason) => this.happened.push(`closed ${name} ${visitor.token} ${reason}`),
      denied: ({ name }) => this.happened.push(`denied ${name}`),
    },
    policyOf: (name) => this.policies.get(name),
    countryOf: () => null,
    counted: (name, viewers) => this.watchers.push([name, viewers]),
  });

  admit(facts: Partial<Arrival> = {}): Admission {
    return this.sessions.admit({
      name: 'open',
      ip: '192.0.2.7',
      token: '',
      proto: 'hls',
      userAgent: 'VLC',
      referer: '',
      host: '',
      queryString: '',
      isOpening: true,
      silentMs: 30_000,
      ...facts,
    });
  }

  /** Opens an allowed session of the stream with a backend. */
  async opened(
    token: string,
    verdict: Partial<Extract<Verdict, { kind: 'allow' }>> = {},
    name = 'asked',
  ): Promise<Session> {
    const admission = this.admit({ name, token });
    expect(admission.kind).toBe('wait');
    await this.questions.at(-1)?.answer({ ...ALLOWED, ...verdict });
    const session = this.sessions.of(name, '192.0.2.7', token, 'hls');
    if (!session) throw new Error('it was not let in');
    return session;
  }

  pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += 1000) {
      this.clock.advance(1000);
      this.sessions.sweep();
    }
  }
}

/** Code of a refusal, or the kind of another decision. */
export function codeOf(admission: Admission): string {
  return admission.kind === 'refused' ? admission.code : admission.kind;
}
