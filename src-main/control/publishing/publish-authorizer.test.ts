import { describe, expect, it } from 'vitest';
import { configOf } from '../../../tests/helpers/config-of.ts';
import type { PublishAnswer } from '../../engine/messages.ts';
import type { PublishRequest } from '../../ingest/input.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { silentLog } from '../../lib/log.ts';
import type { Verdict } from '../../sessions/backend-answer.ts';
import type { Question } from '../../sessions/backend-question.ts';
import { ATTEMPT_EVERY_MS, FREE_ATTEMPTS } from '../../operators/attempt-limiter.ts';
import { AccessPolicies } from '../../configuration/session-policies.ts';
import { PublishAuthorizer } from './publish-authorizer.ts';
import { StreamEntry } from '../../streams/stream-entry.ts';

const ALLOWED: Verdict = { kind: 'allow', durationMs: 60_000, userId: null, maxSessions: null, adInject: undefined };

/** Authorizer in front of streams that accept every publisher it admits. */
class Gate {
  readonly clock = new FakeClock();
  readonly questions: Question[] = [];
  readonly taken: string[] = [];
  readonly restarted: string[] = [];
  verdict: Verdict = ALLOWED;
  readonly entries = new Map<string, StreamEntry>();
  readonly authorizer: PublishAuthorizer;

  constructor(text: string) {
    const config = configOf(text);
    for (const [name, settings] of config.streams) this.entries.set(name, new StreamEntry(name, settings, true));
    this.authorizer = new PublishAuthorizer({
      clock: this.clock,
      log: silentLog,
      authority: {
        authorize: (_policy, question) => {
          this.questions.push(question);
          return Promise.resolve(this.verdict);
        },
      },
      streams: {
        get: (name) => this.entries.get(name),
        restart: (name) => {
          this.restarted.push(name);
          return Promise.resolve();
        },
      },
      publishing: {
        decide: (request, openRun): Promise<PublishAnswer> => {
          this.taken.push(request.path);
          const entry = this.entries.get(request.path.replace('static/', ''));
          if (!entry) return Promise.resolve({ accepted: false, code: 'publish_not_allowed', detail: '' });
          entry.publisherCame('192.0.2.9', this.clock.now());
          const stream = entry.spec(1, this.clock.now());
          openRun(stream);
          return Promise.resolve({ accepted: true, stream });
        },
        refused: (_request, name, end) => this.entries.get(name ?? '')?.refusals.add(end, this.clock.now()),
      },
      policies: new AccessPolicies(config, '/srv/airdesk'),
      config: () => config,
      countryOf: () => null,
      tokenName: () => 'token',
    });
    this.authorizer.start();
  }

  decide(path: string, query: Readonly<Record<string, string>> = {}, peer = '192.0.2.9:40000'): Promise<PublishAnswer> {
    const request: PublishRequest = {
      protocol: 'rtmp',
      path,
      query: new Map(Object.entries(query)),
      peer,
      agent: 'OBS',
    };
    return this.authorizer.decide(request, () => {});
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1000) {
      this.clock.advance(1000);
      for (let turn = 0; turn < 4; turn++) await Promise.resolve();
    }
  }
}

const TEXT =
  'stream cam { input publish://; on_publish http://127.0.0.1:1/ site=north; } stream free { input publish://; } stream locked { input publish://; password open; on_publish http://127.0.0.1:1/; }';

describe('PublishAuthorizer', () => {
  it('asks the backend about a publisher with its identity', async () => {
    const gate = new Gate(TEXT);
    expect(await gate.decide('static/cam', { token: 't', password: 'secret' })).toMatchObject({ accepted: true });
    expect(gate.questions).toEqual([
      expect.objectContaining({
        name: 'cam',
        proto: 'rtmp',
        ip: '192.0.2.9',
        token: 't',
        queryString: 'token=t',
        userAgent: 'OBS',
        isNew: true,
        number: 0,
      }),
    ]);
  });

  it('asks nothing if there is no backend, or before the password is right', async () => {
    const gate = new Gate(TEXT);
    expect(await gate.decide('static/free')).toMatchObject({ accepted: true });
    await gate.decide('static/locked');
    expect(gate.questions).toEqual([]);
    await gate.decide('static/locked', { password: 'open' });
    expect(gate.questions).toHaveLength(1);
  });

  it.each<[string, Verdict]>([
    ['refused', { kind: 'deny', durationMs: 1000, reason: 'the backend answered 403' }],
    ['redirected', { kind: 'redirect', durationMs: 1000, location: '/other' }],
    ['left without an answer', { kind: 'failed', reason: 'it gave no answer' }],
  ])('refuses a publisher that is %s, and records the refusal at the stream', async (_what, verdict) => {
    const gate = new Gate(TEXT);
    gate.verdict = verdict;
    expect(await gate.decide('static/cam')).toMatchObject({ accepted: false, code: 'publish_not_allowed' });
    expect(gate.taken).toEqual([]);
    expect(gate.entries.get('cam')?.refusals.list()).toEqual([
      expect.objectContaining({ code: 'publish_not_allowed' }),
    ]);
  });

  it('asks again when the answer has expired, and disconnects a publisher that is then refused', async () => {
    const gate = new Gate(TEXT);
    await gate.decide('static/cam');
    await gate.pass(59_000);
    expect(gate.questions).toHaveLength(1);
    gate.verdict = { kind: 'failed', reason: 'down' };
    await gate.pass(2000);
    expect(gate.questions[1]).toMatchObject({
      isNew: false,
      number: 1,
      durationSeconds: 60,
      sessionId: gate.questions[0]?.sessionId,
    });
    expect(gate.restarted).toEqual([]);
    gate.verdict = { kind: 'deny', durationMs: 1000, reason: 'no more' };
    await gate.pass(16_000);
    expect(gate.restarted).toEqual(['cam']);
  });

  it('does not ask about a publisher that has left', async () => {
    const gate = new Gate(TEXT);
    await gate.decide('static/cam');
    const entry = gate.entries.get('cam');
    entry?.publisherLeft(gate.clock.now());
    await gate.pass(120_000);
    expect(gate.questions).toHaveLength(1);
  });

  it('admits a publisher on the allow list without asking', async () => {
    const gate = new Gate(
      'auth_backend a { allow_ips 192.0.2.0/24; deny_tokens bad; } stream cam { input publish://; on_publish auth://a; }',
    );
    expect(await gate.decide('static/cam')).toMatchObject({ accepted: true });
    expect(await gate.decide('static/cam', { token: 'bad' })).toMatchObject({ accepted: false });
    expect(gate.questions).toEqual([]);
  });

  it('slows down an address that guesses passwords, and no other address', async () => {
    const gate = new Gate('stream cam { input publish://; password right; } stream free { input publish://; }');
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < 1800; n++) {
      const answer = await gate.decide(n % 2 === 0 ? 'static/cam' : 'cam', { password: `guess ${n}` });
      codes.push(answer.accepted ? 'accepted' : answer.code);
    }
    expect(codes.filter((code) => code === 'publish_bad_password')).toHaveLength(FREE_ATTEMPTS);
    expect(codes.at(-1)).toBe('too_many_attempts');
    expect(await gate.decide('cam', { password: 'right' })).toMatchObject({ code: 'too_many_attempts' });
    expect(await gate.decide('free', {})).toMatchObject({ accepted: true });
    expect(await gate.decide('cam', { password: 'right' }, '[2001:db8::9]:40000')).toMatchObject({ accepted: true });
    gate.clock.advance(ATTEMPT_EVERY_MS);
    expect(await gate.decide('cam', { password: 'right' })).toMatchObject({ accepted: true });
  });

  it('does not lock out an encoder that reconnects repeatedly with an old password', async () => {
    const gate = new Gate('stream cam { input publish://; password right; }');
    for (let n = 0; n < 100; n++)
      expect(await gate.decide('cam', { password: 'old' })).toMatchObject({ code: 'publish_bad_password' });
    for (let n = 0; n < 100; n++) expect(await gate.decide('cam', {})).toMatchObject({ code: 'publish_bad_password' });
    expect(await gate.decide('cam', { password: 'right' })).toMatchObject({ accepted: true });
  });
});
