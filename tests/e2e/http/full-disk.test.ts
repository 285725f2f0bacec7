import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { until } from '../../helpers/until.ts';

// One disk with the data folder, the configuration, the archive and the files of a server, which becomes full.

const API = '/mediaserver/api/v3';
const MIB = 1024 * 1024;
let server: AirdeskProcess;

beforeAll(async () => {
  server = await AirdeskProcess.start(
    `dvr main { root archive; }
vod clips { storage clips; }
stream cam { input fake://?width=320&height=180&bitrate=200; segment_duration 1; dvr @main; }`,
    { disks: { data: '160m' }, configuration: 'data/airdesk.conf' },
  );
  // Uploads do not create the folder of a location.
  mkdirSync(server.hostPath('data/clips'), { recursive: true });
});

afterAll(() => server?.dispose());

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: Record<string, unknown>;
}

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const isText = typeof body === 'string';
  const reply = await fetch(`${server.url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    headers: { 'content-type': isText ? 'text/plain' : 'application/json' },
  });
  const text = await reply.text();
  const parsed = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: reply.status, code: parsed['error'] as string | undefined, body: parsed };
}

async function recordedSeconds(): Promise<number> {
  const { ranges } = (await call('GET', `/streamer/api/v3/streams/cam/dvr/ranges`)).body as {
    ranges: { from: number; duration: number }[];
  };
  return ranges.reduce((sum, { duration }) => sum + duration, 0);
}

/** Fills the disk by writing to a file until nothing more fits. */
function fill(): void {
  const file = openSync(server.hostPath('data/fill'), 'a');
  try {
    for (let size = MIB; size >= 1;) {
      try {
        writeSync(file, Buffer.alloc(size, 1));
      } catch {
        size = size === 1 ? 0 : Math.max(1, size >> 4);
      }
    }
  } finally {
    closeSync(file);
  }
}

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: object | string;
  /** Expected error code; `disk_full` by default. */
  readonly code?: string;
}

/** Requests that store something. `#` stands for the number of the attempt. */
function writes(from: number, kept: { readonly caseId: string; readonly portalId: string }): readonly Write[] {
  const range = { from, duration: 2 };
  const note = 'n'.repeat(400);
  const portal = `/tv-management/api/v1/portals/${kept.portalId}`;
  const post = (path: string, body: object | string, code = 'disk_full'): Write => ({
    method: 'POST',
    path,
    body,
    code,
  });
  const put = (...sent: Parameters<typeof post>): Write => ({ ...post(...sent), method: 'PUT' });
  return [
    post(`${API}/streams/cam/dvr/locks`, { ...range, note: `${note}#` }),
    put(`${API}/streams/cam/dvr/locks`, { ...range, note: `${note}#` }),
    post('/mediaserver/api/dvr/lock', { stream: 'cam', ...range }),
    put(`${API}/episodes/e#`, { name: 'cam', title: note.slice(200), from, to: from + 2 }),
    post(`${API}/dvr_cases`, { title: 'new #', note }),
    put(`${API}/dvr_cases/${kept.caseId}`, { title: 'other #', note }),
    post(`${API}/dvr_cases/${kept.caseId}/items`, { kind: 'mark', name: 'cam', from }),
    post(`${API}/dvr_export_jobs`, { name: 'cam', from: from * 1000, duration: 2000 }, 'export_no_room'),
    post(
      `${API}/dvr_export_jobs`,
      { name: 'cam', from: from * 1000, duration: 2000, packing: 'ts', path: 'clips/#' },
      'export_no_room',
    ),
    put(`${API}/vods/clips/storages/0/files/up#.mp4`, note, 'vod_no_room'),
    put(`${API}/streams/more#`, { inputs: [{ url: 'publish://' }] }),
    put(`${API}/streams/cam`, { title: 'title #' }),
    put(`${API}/vods/more#`, { storages: [{ url: 'clips' }] }),
    put(`${API}/event_sinks/more#`, { url: 'log://more.jsonl' }),
    put(`${API}/rproxy`, { streampoint_key: 'key-of-peers-#' }),
    { method: 'DELETE', path: `${API}/vods/clips` },
    put(`${API}/config`, `http 127.0.0.1:1;\nstream more# {\n}\n`),
    post('/mediaserver/api/modify_config', { streams: { 'more#': { inputs: [{ url: 'publish://' }] } } }),
    post('/tv-management/api/v1/portals', { name: 'more#' }),
    post(`${portal}/keys`, { name: 'more#' }),
    post(`${portal}/webhooks`, { url: 'https://192.0.2.1/#' }),
  ];
}

it('returns an error code for everything that a full disk cannot store, reports the free space, and continues when there is space again', async () => {
  const print = (): string => server.printed;
  await until('5 s', async () => (await recordedSeconds()) >= 5, 60_000, print);
  const { ranges } = (await call('GET', '/streamer/api/v3/streams/cam/dvr/ranges')).body as {
    ranges: { from: number }[];
  };
  const from = Math.ceil(ranges[0]?.from ?? 0);
  // A full storage deletes its oldest blocks, but no locked blocks.
  const locked = await call('POST', `${API}/streams/cam/dvr/locks`, { from, duration: 2 });
  expect(locked.status).toBeLessThan(300);
  const caseId = String((await call('POST', `${API}/dvr_cases`, { title: 'kept' })).body['id']);
  const portalId = String((await call('POST', '/tv-management/api/v1/portals', { name: 'kept' })).body['portalId']);

  const differing: string[] = [];
  let attempt = 0;
  for (const { method, path, body, code: refusalCode = 'disk_full' } of writes(from, { caseId, portalId })) {
    const request = `${method} ${path}`;
    const refusal = async (): Promise<Answer | undefined> => {
      // A database may have space in pages that are already on the disk.
      fill();
      const numbered = (text: string): string => text.replaceAll('#', String(++attempt));
      const sent = typeof body === 'object' ? (JSON.parse(numbered(JSON.stringify(body))) as object) : body;
      const answer = await call(method, numbered(path), typeof sent === 'string' ? numbered(sent) : sent);
      return answer.status < 300 ? undefined : answer;
    };
    const { status, code } = await until(`a refusal of ${request}`, refusal, 60_000, print);
    if (status !== 507 || code !== refusalCode) differing.push(`${request}: ${status} ${code}`);
  }
  expect(differing.join('\n')).toBe('');

  const alert = await until(
    'an alert',
    async () => {
      const { alarms } = (await call('GET', `${API}/alarms`)).body as {
        alarms: { fault: string; facts: Record<string, unknown> }[];
      };
      return alarms.find(({ fault }) => fault === 'disk_full');
    },
    120_000,
    print,
  );
  const { bavail, bsize } = statfsSync(server.hostPath('data'));
  expect(alert.facts['free_mib']).toBe(Math.floor((bavail * bsize) / MIB));

  const stopped = await recordedSeconds();
  rmSync(server.hostPath('data/fill'));
  await until('further recording', async () => (await recordedSeconds()) > stopped + 3, 120_000, print);
  const newest = (await call('GET', '/streamer/api/v3/streams/cam/dvr/ranges')).body as { ranges: { from: number }[] };
  const again = { from: Math.ceil(newest.ranges.at(-1)?.from ?? 0), duration: 1 };
  expect((await call('POST', `${API}/streams/cam/dvr/locks`, again)).status).toBe(200);
  expect((await call('PUT', `${API}/streams/cam`, { title: 'title' })).status).toBe(200);
  expect(server.printed).not.toMatch(/^\s+at |\\n\s+at /m);
});
