import { describe, expect, it } from 'vitest';
import { questionUrl, type Question } from './backend-question.ts';

const QUESTION: Question = {
  name: 'studio/cam 1',
  proto: 'hls',
  ip: '192.0.2.7',
  sessionId: '4a1c2a0e-0000-4000-8000-000000000001',
  isNew: true,
  number: 0,
  streamClients: 3,
  totalClients: 8,
  token: 'a&b',
  queryString: 'token=a%26b&x=1',
  userAgent: 'VLC/3.0',
  referer: 'https://tv.example.org/',
  country: null,
  durationSeconds: 0,
  bytes: 0,
};

describe('questionUrl', () => {
  it('describes a new session', () => {
    const url = new URL(questionUrl('http://127.0.0.1:3000/auth?key=7', { extra: { site: 'north' } }, QUESTION));
    expect(url.origin + url.pathname).toBe('http://127.0.0.1:3000/auth');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      key: '7',
      site: 'north',
      name: 'studio/cam 1',
      proto: 'hls',
      ip: '192.0.2.7',
      request_type: 'new_session',
      request_number: '0',
      session_id: QUESTION.sessionId,
      stream_clients: '3',
      total_clients: '8',
      dvr: 'false',
      duration: '0',
      bytes: '0',
      token: 'a&b',
      qs: 'token=a%26b&x=1',
      user_agent: 'VLC/3.0',
      referer: 'https://tv.example.org/',
    });
  });

  it.each([
    [60, '60'],
    [Infinity, 'now'],
  ])('contains the requested archive range with the duration %s s', (durationSeconds, printed) => {
    const archive = { fromSeconds: 1_795_233_066, durationSeconds };
    const url = new URL(questionUrl('http://127.0.0.1:3000/', { extra: {} }, { ...QUESTION, archive }));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      dvr: 'true',
      dvr_from: '1795233066',
      dvr_duration: printed,
    });
  });

  it('describes a running session, and omits unknown values', () => {
    const url = new URL(
      questionUrl(
        'http://127.0.0.1:3000/',
        { extra: {} },
        {
          ...QUESTION,
          isNew: false,
          number: 4,
          token: '',
          queryString: '',
          userAgent: '',
          referer: '',
          country: 'DE',
          durationSeconds: 540,
          bytes: 12,
        },
      ),
    );
    const facts = Object.fromEntries(url.searchParams);
    expect(facts).toMatchObject({
      request_type: 'update_session',
      request_number: '4',
      duration: '540',
      bytes: '12',
      country: 'DE',
    });
    expect(Object.keys(facts)).not.toEqual(expect.arrayContaining(['token']));
    expect(facts).not.toHaveProperty('qs');
  });

  it('does not let configured parameters replace those of the session', () => {
    const url = new URL(questionUrl('http://127.0.0.1:3000/?ip=192.0.2.1', { extra: { name: 'other' } }, QUESTION));
    expect(url.searchParams.getAll('name')).toEqual(['studio/cam 1']);
    expect(url.searchParams.getAll('ip')).toEqual(['192.0.2.7']);
  });

  it('limits the length of values from the player', () => {
    expect(
      questionUrl('http://127.0.0.1:3000/', { extra: {} }, { ...QUESTION, userAgent: 'x'.repeat(100_000) }).length,
    ).toBeLessThan(3000);
  });
});
