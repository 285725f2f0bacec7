import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QualityHistory } from '../streams/quality-history.ts';
import { CALLS } from '../../src-preload/contract/index.ts';
import { sessionSource } from '../../tests/helpers/session-source.ts';
import { ABSENT_SERVICES } from '../../tests/helpers/absent-services.ts';
import { systemPort } from '../../tests/helpers/system-port.ts';
import { testSession } from '../../tests/helpers/api-stage.ts';
import { CollectionStage } from '../../tests/helpers/collection-stage.ts';
import type { Caller } from '../operators/caller.ts';
import { AlarmService } from '../control/alarms/alarm-service.ts';
import { Desk } from '../control/desk.ts';
import { AlarmHistory } from '../monitor/alarm-history.ts';
import { Alarms } from '../monitor/alarms.ts';
import { EventServices } from '../control/system/event-services.ts';
import { playerStream } from './player/player-streams.ts';
import { silentLog } from '../lib/log.ts';
import { Tickets } from '../lib/tickets.ts';

/** Secret, placed wherever the configuration may contain one. */
const CANARY = 'CANARY';

const TEXT = `
  edit_auth boss hidden${CANARY};
  stream cam {
    input rtsp://user${CANARY}:pass${CANARY}@192.0.2.1:554/cam?auth=a${CANARY}&sig=s${CANARY} headers="X-Key: h${CANARY}";
    input srt://192.0.2.2:9000?streamid=${CANARY}&passphrase=longer${CANARY};
    input rtmp://192.0.2.3/live/key${CANARY};
    input hls://u:p/${CANARY}@192.0.2.4/index.m3u8 headers="Authorization: Bearer ${CANARY}" user_agent=u${CANARY};
    input hls://192.0.2.4/index.m3u8#${CANARY};
    title "A title";
    push rtmp://192.0.2.5/live2/${CANARY};
    push https://192.0.2.5/upload/${CANARY}/index.m3u8;
    password p${CANARY};
    on_play https://u:p${CANARY}@192.0.2.6/auth/${CANARY}?k=${CANARY} site=${CANARY};
    auth https://192.0.2.6/auth/${CANARY};
    cluster_key k${CANARY};
    meta note m${CANARY};
    drm aes128 keyserver=https://192.0.2.7/k/${CANARY} key=${CANARY};
    backup clips/spare.ts?token=${CANARY};
  }
  stream quiet { input publish://; password q${CANARY}; }
  template events { prefix live; input rtmp://192.0.2.8/live/${CANARY}; password t${CANARY}; }
  auth_backend door { backend https://u${CANARY}:p@192.0.2.9/hook/${CANARY} key=${CANARY}; allow_tokens ${CANARY}; deny_tokens x${CANARY}; }
  event_sink hook { url https://u:p${CANARY}@192.0.2.10/services/${CANARY}?t=${CANARY}; secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw; extra key=${CANARY}; }
  peer far.example.org { cluster_key c${CANARY}; api_url https://a:b${CANARY}@far.example.org/?k=${CANARY}; }
  source near.example.org { cluster_key c${CANARY}; }
  vod films { storage s3://id${CANARY}:key${CANARY}@192.0.2.11/films; }
  wall_origins https://graphs.example.org;
  dvr disk { root s3://id:key${CANARY}@192.0.2.12/films; }
`;

const VIEWER = `Basic ${Buffer.from(`guest:look${CANARY}`).toString('base64')}`;
const EDITOR = `Basic ${Buffer.from(`boss:hidden${CANARY}`).toString('base64')}`;
const READER: Caller = { mayRead: true, mayWrite: false, who: 'anyone', address: '192.0.2.99' };
const WRITER: Caller = { ...READER, mayWrite: true, who: 'boss' };

/** Text around a secret in an answer. */
function around(answer: unknown): string | undefined {
  const text = JSON.stringify(answer);
  const at = text.indexOf(CANARY);
  return at < 0 ? undefined : text.slice(Math.max(0, at - 100), at + 20);
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

/** All readable addresses, with the names of this configuration in them. */
function addresses(document: unknown): string[] {
  const names: Readonly<Record<string, string>> = {
    streams: 'cam',
    templates: 'events',
    sessions: 's1',
    vods: 'films',
    dvrs: 'disk',
    auth_backends: 'door',
    event_sinks: 'hook',
    peers: 'far.example.org',
    sources: 'near.example.org',
  };
  return Object.entries((document as Document).paths).flatMap(([path, operations]) => {
    if (!operations['get'] || operations['get'].operationId.endsWith('_by_get') || path.endsWith('/reload')) return [];
    const collection = Object.keys(names).find((name) => path.includes(`/${name}/`));
    return [path.replace(/\{\w+\}/g, names[collection ?? 'streams'] ?? 'cam')];
  });
}

describe.each([
  ['a caller without a login', '', {}],
  ['a view login', `view_auth guest look${CANARY};`, { authorization: VIEWER }],
] as const)('the answer to %s', (_who, login, headers) => {
  let stage: CollectionStage;
  let desk: Desk;
  let events: EventServices;
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-reader-'));

  beforeAll(async () => {
    stage = await CollectionStage.start(login + TEXT);
    const answer = `https://u:${CANARY}@192.0.2.4/a/${CANARY}: the server says ${CANARY}`;
    const host = `u:${CANARY}@192.0.2.4`;
    const why = because('hls_no_key', {
      host,
      explanation: because('source_refused', { explanation: { detail: answer } }),
    });
    const fault = { code: 'input_refused', ...why, at: stage.clock.now() };
    for (const spec of stage.engine.open.values()) {
      const status = stage.engine.status(spec);
      stage.streams.reports.status([
        {
          ...status,
          phase: 'error',
          inputs: status.inputs.map((input) => ({ ...input, lastFault: fault })),
          problems: [{ ...fault, count: 1 }],
        },
      ]);
    }
    stage.sessions.set(
      's1',
      testSession('s1', 'cam', {
        token: CANARY,
        queryString: `token=${CANARY}`,
        referer: `https://portal.example.org/watch?user=${CANARY}`,
      }),
    );
    const { clock, configuration, streams } = stage;
    events = await EventServices.open({ dataFolder: folder, server: 's', version: '1', clock, log: silentLog });
    events.apply(configuration.config);
    events.bus.emit('input_lost', { media: 'cam', input: 'input 1', code: 'input_refused', ...why });
    events.bus.emit('publish_refused', {
      media: 'cam',
      path: `live/cam?password=${CANARY}`,
      ip: '192.0.2.1',
      code: 'publish_denied',
      ...why,
    });
    events.bus.emit('config_refused', { code: 'config_syntax', detail: `line 1: ${CANARY}` });
    await events.bus.drained();
    desk = new Desk({
      hasSandbox: true,
      logDownloads: new Tickets(clock),
      switchRecording: () => undefined,
      quality: (entry) => new QualityHistory().of(entry, 0),
      configuration,
      streams,
      events,
      clock,
      log: silentLog,
      describe: () => ({
        version: '1',
        hostname: 's',
        started_at: 0,
        base_url: 'http://127.0.0.1:80',
        rtmp_url: 'rtmp://127.0.0.1:1935',
        has_edit_login: true,
        has_view_login: true,
      }),
      viewQuery: (_, reach) => (reach === 'all' ? `token=${CANARY}` : ''),
      ...ABSENT_SERVICES,
      sessions: sessionSource(stage.sessions),
      subscribers: stage.subscriberServices!,
      clips: stage.clipCalls,
      archive: stage.archiveCalls,
      cases: stage.archiveServices.cases,
      system: systemPort(),
      alarms: new AlarmService({
        alarms: new Alarms({ now: () => 0, newId: () => '', changed: () => undefined, happened: () => undefined }),
        history: new AlarmHistory({
          clock,
          failed: (error) => expect(error).toBeUndefined(),
          store: {
            write() {},
            rows: () => [],
            count: () => 0,
            shelved: () => new Map(),
            shelve() {},
            open: () => [],
            endServerAlarms() {},
            removeBefore: () => 0,
          },
        }),
      }),
    });
  });
  afterAll(async () => {
    desk.close();
    await events.close();
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('contains no secret at any address', async () => {
    const paths = addresses(stage.document);
    expect(paths.length).toBeGreaterThan(50);
    const read: string[] = [];
    for (const path of paths) {
      for (const query of ['', '?format=openmetrics', '?runtime=true&full=true']) {
        if (query !== '' && path.includes('/streamer/') === false && /metrics|config/.test(query + path) === false)
          continue;
        const { status, body } = await stage
          .request('GET', path + query, undefined, headers)
          .catch((error: unknown) => {
            // Some parameters are unknown to an endpoint.
            if (query === '') throw error;
            return { status: 400, body: '' };
          });
        expect(around(body), `GET ${path}${query}`).toBeUndefined();
        if (status === 200) read.push(path);
      }
    }
    expect(new Set(read).size).toBeGreaterThan(35);
  });

  it('reveals no secret through filters, orders and searches', async () => {
    const count = async (path: string): Promise<unknown> =>
      ((await stage.request('GET', path, undefined, headers)).body as { readonly estimated_count: unknown })
        .estimated_count;
    expect(await count(`/sessions?token=${CANARY}`)).toBe(0);
    expect(await count(`/sessions?q=${CANARY}`)).toBe(0);
    expect(await count(`/streams?q=${CANARY}`)).toBe(0);
    expect(await count(`/event_sinks?url_like=${CANARY}`)).toBe(0);
    expect(await count(`/streams?stats.url_like=${CANARY}`)).toBe(0);
    expect(await count('/streams?q=192.0.2.1')).toBe(1);
    const sorted = (await stage.request('GET', '/sessions?sort=token&limit=1', undefined, headers)).body;
    const { next, prev } = sorted as { readonly next: string | null; readonly prev: string | null };
    expect(Buffer.from(`${next}${prev}`, 'base64url').toString()).not.toContain(CANARY);
  });

  it('contains no secret on the bridge', async () => {
    const answers: unknown[] = [];
    for (const name of Object.keys(CALLS)) {
      const { isWrite } = CALLS[name as keyof typeof CALLS];
      if (!isWrite)
        answers.push([name, await desk.call(name, name === 'config.versions' ? { limit: 10 } : {}, READER)]);
    }
    for (const topic of ['streams', 'events'])
      desk.subscribe(topic, (payload) => answers.push([topic, payload]), READER)?.();
    const end = desk.subscribe('events', (payload) => answers.push(['later', payload]), READER);
    events.bus.emit('input_lost', { media: 'cam', input: 'input 1', code: 'input_refused', detail: CANARY });
    await events.bus.drained();
    stage.clock.advance(1000);
    end?.();
    expect(answers.map((item) => (item as unknown[])[0])).toContain('later');
    for (const item of answers) expect(around(item)).toBeUndefined();
    expect(JSON.stringify(answers)).toContain('rtsp://192.0.2.1:554/cam');
    // Callers without write access see the same pages of the wall.
    expect(JSON.stringify(answers)).toContain('https://graphs.example.org');
    expect(JSON.stringify(answers)).toContain('The source refused');
  });

  it('includes public settings', async () => {
    const { body } = await stage.request('GET', '/streams/cam', undefined, headers);
    expect(body).toMatchObject({
      title: 'A title',
      config_on_disk: null,
      inputs: [
        { url: 'rtsp://192.0.2.1:554/cam', headers: '********', stats: { error: 'input_refused' } },
        { url: 'srt://192.0.2.2:9000' },
        { url: 'rtmp://192.0.2.3/live/********' },
        { url: 'hls://192.0.2.4/index.m3u8' },
        { url: 'hls://192.0.2.4/index.m3u8' },
      ],
      pushes: [{ url: 'rtmp://192.0.2.5' }, { url: 'https://192.0.2.5' }],
      stats: { source_error: 'input_refused' },
    });
    expect((await stage.request('GET', '/sessions/s1', undefined, headers)).body).toMatchObject({
      name: 'cam',
      ip: '192.0.2.7',
      referer: 'https://portal.example.org/watch',
      token: '********',
    });
  });

  it('shows more to callers with write access, without passwords', async () => {
    const { body } = await stage.request('GET', '/streams/cam', undefined, { authorization: EDITOR });
    const [first, , third] = (body as { readonly inputs: readonly { readonly url: string }[] }).inputs;
    expect(first?.url).toBe(`rtsp://user${CANARY}:********@192.0.2.1:554/cam?auth=********&sig=********`);
    expect(third?.url).toBe('rtmp://192.0.2.3/live/********');
    expect(JSON.stringify(body)).not.toContain(`pass${CANARY}`);
    const reply = await desk.call('streams.list', {}, WRITER);
    expect(JSON.stringify(reply)).toContain('rtmp://192.0.2.3/live/***');
    expect(JSON.stringify(reply)).not.toContain(`key${CANARY}`);
  });

  it('contains no secret in the diagnostics file, which needs write access', async () => {
    const reply = await desk.call('system.diagnostics', {}, WRITER);
    expect(around(reply)).toBeUndefined();
    expect(reply).toMatchObject({ ok: true });
    const { text } = (reply as { value: { text: string } }).value;
    expect(JSON.parse(text)).toMatchObject({
      state: { versions: [{ name: 'airdesk' }, ...Array.from({ length: 2 }, () => ({}))] },
      stream_count: stage.streams.list().length,
      configuration: { streams: expect.arrayContaining([expect.objectContaining({ name: 'cam' })]) as unknown },
    });
    expect(await desk.call('system.diagnostics', {}, READER)).toMatchObject({ ok: false });
  });

  it('contains no secret in the public description of a stream', () => {
    for (const entry of stage.streams.list()) {
      const stream = playerStream(entry, { nowMs: 0, rtmpUrl: 'rtmp://127.0.0.1', baseUrl: 'http://127.0.0.1' });
      expect(JSON.stringify(stream)).not.toContain(CANARY);
    }
  });
});
