import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WITH_BACKEND, codeOf, SessionsStage } from '../../tests/helpers/sessions-stage.ts';
import { OPEN_POLICY } from './access-policy.ts';
import type { Verdict } from './backend-answer.ts';

describe('sessions after a change of the configuration', () => {
  it('continue if their policy is unchanged', async () => {
    const stage = new SessionsStage();
    stage.admit();
    await stage.opened('t');
    stage.policies.set('asked', { ...WITH_BACKEND });
    stage.sessions.policiesChanged();
    stage.pass(2000);
    expect([stage.sessions.count, stage.questions.length]).toEqual([2, 1]);
  });

  it('are authorized again if a backend was added', async () => {
    const stage = new SessionsStage();
    stage.admit();
    stage.policies.set('open', WITH_BACKEND);
    stage.sessions.policiesChanged();
    stage.pass(1000);
    await stage.questions[0]?.answer({ kind: 'deny', durationMs: 60_000, reason: 'no' });
    expect(stage.happened.slice(-2)).toEqual(['denied open', 'closed open  denied']);
  });

  it('are not refused because of a removed backend', async () => {
    const stage = new SessionsStage();
    stage.admit();
    stage.policies.set('open', WITH_BACKEND);
    stage.sessions.policiesChanged();
    stage.pass(1000);
    await stage.questions[0]?.answer({ kind: 'deny', durationMs: 60_000, reason: 'no' });
    stage.policies.set('open', OPEN_POLICY);
    stage.sessions.policiesChanged();
    expect(stage.admit().kind).toBe('open');
  });

  it.each<[Verdict]>([
    [{ kind: 'deny', durationMs: 60_000, reason: 'no' }],
    [{ kind: 'redirect', durationMs: 60_000, location: '/other' }],
    [{ kind: 'failed', reason: 'no answer' }],
  ])('are authorized again by another backend after the answer %j', async (verdict) => {
    const stage = new SessionsStage();
    const viewer = { name: 'asked', token: 't' };
    stage.admit(viewer);
    await stage.questions[0]?.answer(verdict);
    stage.policies.set('asked', { ...WITH_BACKEND });
    expect(codeOf(stage.admit(viewer))).toBe('playback_denied');
    stage.policies.set('asked', { ...WITH_BACKEND, fingerprint: 'another' });
    expect(stage.admit(viewer).kind).toBe('wait');
  });

  it('remain refused if they were banned', () => {
    const stage = new SessionsStage();
    stage.admit();
    for (const session of [...stage.sessions.list()]) stage.sessions.ban(session);
    stage.policies.set('open', { ...OPEN_POLICY, fingerprint: 'another' });
    stage.sessions.policiesChanged();
    expect(codeOf(stage.admit())).toBe('session_banned');
  });

  it('end if a rule now refuses them, or if their stream was removed', () => {
    const stage = new SessionsStage();
    stage.admit();
    stage.admit({ ip: '192.0.2.8' });
    const networks = new BlockList();
    networks.addAddress('192.0.2.8');
    stage.policies.set('open', {
      ...OPEN_POLICY,
      fingerprint: 'denying',
      deny: { tokens: new Set(), networks, countries: new Set(), players: [] },
    });
    stage.sessions.policiesChanged();
    stage.pass(1000);
    expect([...stage.sessions.list()].map(({ visitor }) => visitor.ip)).toEqual(['192.0.2.7']);
    stage.policies.delete('open');
    stage.sessions.policiesChanged();
    stage.pass(1000);
    expect(stage.happened.at(-1)).toBe('closed open  stream_gone');
  });
});
