import { beforeEach, describe, expect, it } from 'vitest';
import { clipOf, LiveStream } from '../../tests/helpers/ad-windows.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import { OPEN_POLICY } from '../sessions/access-policy.ts';
import type { Verdict } from '../sessions/backend-answer.ts';
import { Session, type SessionProtocol } from '../sessions/session.ts';
import { Advertisements } from './advertisements.ts';
import type { Clip, MissingClip } from './clips/clip.ts';

const PREROLL = { v: 1, preroll: ['ads/a'] };

let clock: FakeClock;
let live: StreamOutput;
let stream: LiveStream;
let opened: string[];
let shown: string[];
let skipped: string[];
let readFault: string | undefined;
let files: Map<string, Clip>;
let isSlow: boolean;
let ads: Advertisements;

beforeEach(() => {
  clock = new FakeClock();
  stream = new LiveStream({ segmentMs: 2000, listed: 10 });
  stream.growTo(20);
  live = new StreamOutput('cam', stream.window);
  [opened, shown, skipped, isSlow, readFault] = [[], [], [], false, undefined];
  files = new Map([
    [
      'ads/a',
      {
        ...clipOf('a', 4),
        path: 'ads/a',
        readFault: () => (readFault === undefined ? undefined : { detail: readFault }),
      },
    ],
  ]);
  ads = new Advertisements({
    clock,
    files: {
      open: async (path): Promise<Clip | MissingClip> => {
        opened.push(path);
        if (isSlow) await new Promise(() => {});
        return files.get(path) ?? { path, reason: 'clip_not_found', detail: 'gone' };
      },
    },
    played: ({ session, showing, reached }) =>
      shown.push(`${session.id} ${showing.clip.path} ${reached.join(' ')} of ${showing.breakId}`),
    skipped: ({ id }, { path, reason, detail }) => skipped.push(`${id} ${path ?? 'break'} ${reason}: ${detail}`),
  });
});

function sessionOf(adInject: unknown, proto: SessionProtocol = 'hls', userAgent = ''): Session {
  const visitor = { name: 'cam', ip: '192.0.2.1', token: 't', userAgent, referer: '', host: '', country: null };
  const session = new Session(
    {
      ...visitor,
      id: 'one',
      key: 'one',
      proto,
      queryString: '',
      policy: OPEN_POLICY,
      policyGeneration: 0,
      openedMs: 0,
      silentMs: 60_000,
    },
    180_000,
    { started: () => undefined, released: () => undefined },
  );
  session.adInject = adInject;
  return session;
}

function allowed(adInject: unknown): Verdict {
  return { kind: 'allow', durationMs: 1, userId: null, maxSessions: null, adInject };
}

describe('the output of a session', () => {
  it('is the output of the stream without a decision, with an invalid decision, and for other protocols', async () => {
    await ads.prepare(allowed(PREROLL), 'cam');
    for (const session of [sessionOf(undefined), sessionOf({ preroll: 7 }), sessionOf(PREROLL, 'mpegts')])
      expect(ads.outputFor(session, live)).toBe(live);
    expect(ads.outputFor(undefined, live)).toBe(live);
    expect(ads.outputFor(sessionOf(PREROLL), undefined)).toBeUndefined();
  });

  it('contains the clips, counts bytes for the stream, and reports each sent clip segment once', async () => {
    await ads.prepare(allowed(PREROLL), 'cam');
    const session = sessionOf(PREROLL);
    const output = ads.outputFor(session, live);
    expect(output).not.toBe(live);
    expect(ads.outputFor(session, live)).toBe(output);
    expect(output?.window.segmentByAddress('v1', 'a-34000')?.segment.startMs).toBe(34_000);
    output?.sent(10);
    expect(live.bytesOut).toBe(10);
    expect(shown).toEqual([]);
    for (const second of [0, 0, 1]) output?.delivered('v1', `a-${34_000 + second * 1000}`);
    expect(shown).toEqual(['one ads/a 0 25 of preroll-34000', 'one ads/a 50 of preroll-34000']);
    output?.recordActivity(7);
    expect(live.lastActiveMs).toBe(7);
    const [explained] = ads.explain(session, live).breaks;
    expect(explained).toMatchObject({ break_id: 'preroll-34000', clips: [{ clip_segments: 4, sent_segments: 2 }] });
    ads.closed(session);
    // The end of the clip is reported, without another quarter.
    expect(shown.at(-1)).toBe('one ads/a  of preroll-34000');
    expect(ads.outputFor(session, live)).not.toBe(output);
  });

  it.each([
    ['hls', 'Mozilla/5.0', true],
    ['hls', 'Lavf/59.27.100', true],
    ['dash', 'Lavf/59.27.100', false],
    ['hls', 'VLC/3.0.21 LibVLC/3.0.21', false],
    ['dash', 'VLC/3.0.21 LibVLC/3.0.21', false],
    ['hls', 'GStreamer souphttpsrc 1.22.0 libsoup/3.2.3', false],
  ] as const)('inserts v 1 clips in place for players that would lose pictures otherwise: %s, %s', async (...row) => {
    const [proto, userAgent, isSeparate] = row;
    await ads.prepare(allowed(PREROLL), 'cam');
    const session = sessionOf(PREROLL, proto, userAgent);
    const output = ads.outputFor(session, live);
    expect(output?.window.segments('v1')[0]?.address).toBe(isSeparate ? 'a-34000' : '34000');
    const { notes } = ads.explain(session, live);
    expect(notes).toEqual(isSeparate ? [] : [expect.stringContaining(`v is played as 2: ${userAgent}`)]);
  });

  it('caches no playlists, because no other viewer requests them', async () => {
    await ads.prepare(allowed(PREROLL), 'cam');
    const output = ads.outputFor(sessionOf(PREROLL), live);
    let renderings = 0;
    function* render(): Generator<void, string> {
      renderings++;
      yield;
      return 'text';
    }
    for (let count = 0; count < 2; count++) expect(output?.pieces('key', ' ', 0, render)?.pieces).toEqual(['text']);
    expect(renderings).toBe(2);
  });

  it('applies a new answer of the backend from the next break on', async () => {
    await ads.prepare(allowed(PREROLL), 'cam');
    const session = sessionOf(PREROLL);
    const output = ads.outputFor(session, live);
    expect(output?.window.periods().map(({ addressPrefix }) => addressPrefix)).toEqual(['a-', '']);
    session.adInject = { v: 1, midroll: ['ads/a'], midroll_interval: 4 };
    expect(ads.outputFor(session, live)).toBe(output);
    stream.growTo(30);
    const shownClips = output?.window.periods().filter(({ addressPrefix }) => addressPrefix === 'a-');
    expect(shownClips?.length).toBeGreaterThan(1);
  });
});

describe('the clips of an answer', () => {
  it('delay an answer by at most a second', async () => {
    isSlow = true;
    const waiting = ads.prepare(allowed(PREROLL), 'cam');
    clock.advance(1000);
    await waiting;
    const session = sessionOf(PREROLL);
    const output = ads.outputFor(session, live);
    expect(output?.window.periods().map(({ addressPrefix }) => addressPrefix)).toEqual(['']);
    expect(ads.explain(session, live)).toMatchObject({
      clips: [{ path: 'ads/a', state: 'clip_not_ready' }],
      skipped: [{ reason: 'clip_not_ready' }, { reason: 'break_without_clips' }],
    });
  });

  it('are checked again after some seconds, not on each request', async () => {
    await ads.prepare(allowed(PREROLL), 'cam');
    const session = sessionOf(PREROLL);
    for (let count = 0; count < 3; count++) ads.outputFor(session, live);
    expect(opened).toEqual(['ads/a']);
    clock.advance(3000);
    for (let count = 0; count < 3; count++) ads.outputFor(session, live);
    expect(opened).toEqual(['ads/a', 'ads/a']);
    files.clear();
    ads.forget();
    await ads.prepare(allowed(PREROLL), 'cam');
    expect(ads.explain(session, live).clips).toMatchObject([{ state: 'clip_not_found', detail: 'gone' }]);
  });

  it('are not read without a valid decision', async () => {
    await ads.prepare(allowed(undefined), 'cam');
    await ads.prepare(allowed({ preroll: ['/etc/passwd'] }), 'cam');
    await ads.prepare({ kind: 'deny', durationMs: 1, reason: '' }, 'cam');
    expect(opened).toEqual([]);
  });
});

describe('a clip whose media cannot be read', () => {
  const WHY = 'the disk does not answer';

  it('is replaced by the stream at once and for half a minute, if it is inside segments of the stream', async () => {
    await ads.prepare(allowed({ preroll: ['ads/a'], midroll: ['ads/a'], midroll_interval: 1 }), 'cam');
    const session = sessionOf({ preroll: ['ads/a'], midroll: ['ads/a'], midroll_interval: 1 });
    const output = ads.outputFor(session, live) as StreamOutput;
    const isStream = (address: string): boolean =>
      output.window.segmentByAddress('v1', address) === stream.window.segmentByAddress('v1', address);
    expect(isStream('34000')).toBe(false);
    // The clip can be read, so the request failed for another reason.
    expect(output.unreadable('v1', '34000')).toBe(false);
    readFault = WHY;
    expect(output.unreadable('v1', '34000')).toBe(true);
    expect([isStream('34000'), isStream('36000')]).toEqual([true, true]);
    expect(output.unreadable('v1', '34000')).toBe(false);
    expect(skipped).toEqual([`one ads/a clip_unusable: ${WHY}`]);
    expect(ads.explain(session, live).clips).toMatchObject([{ state: 'clip_unusable', detail: WHY }]);
    stream.growTo(24);
    expect([isStream('44000'), isStream('46000')]).toEqual([true, true]);
    clock.advance(31_000);
    stream.grow();
    expect(isStream('48000')).toBe(false);
  });

  it('ends after its listed segments when it is a separate clip', async () => {
    files.set('ads/a', {
      ...clipOf('a', 9),
      path: 'ads/a',
      readFault: () => (readFault === undefined ? undefined : { detail: readFault }),
    });
    await ads.prepare(allowed(PREROLL), 'cam');
    const session = sessionOf(PREROLL);
    const output = ads.outputFor(session, live) as StreamOutput;
    expect(output.window.lastSegment('v1')?.address).toBe('a-39000');
    readFault = WHY;
    expect(output.unreadable('v1', 'a-35000')).toBe(false);
    stream.growTo(23);
    expect(output.window.lastSegment('v1')?.address).toBe('44000');
    expect(skipped).toEqual([`one ads/a clip_unusable: ${WHY}`]);
  });
});

it('the explanation of a session states that the backend did not answer, and what follows', async () => {
  await ads.prepare(allowed(PREROLL), 'cam');
  const session = sessionOf(undefined);
  expect(ads.explain(session, live).notes).toEqual([]);
  session.unanswered = 'it answered 500';
  expect(ads.explain(session, live).notes).toEqual([
    'The backend did not answer the last time (it answered 500): nothing is inserted',
  ]);
  session.adInject = PREROLL;
  expect(ads.explain(session, live).notes.at(-1)).toContain('its last answer counts');
});
