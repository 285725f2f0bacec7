import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  CALLS,
  type CallInput,
  type CallName,
  type CallOutput,
  type Reply,
} from '../../../src-preload/contract/index.ts';
import { domainOf } from '../../../src-preload/contract/operation-domains.ts';
import { DOMAINS, type Domain } from '../../../src-preload/contract/operations/roles.ts';
import type { AirdeskServer } from '../../../src-main/server.ts';
import { freePort } from '../../helpers/free-port.ts';
import { sourceServer } from '../../helpers/source-server.ts';
import { until } from '../../helpers/until.ts';

const LIMIT_MS = 30_000;
const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'another horse battery';

let folder: string;
let url: string;
let server: AirdeskServer;
/** Desk of the person who acts. */
let anna: Desk;
/** Desk of the login of the configuration, which reads what is recorded. */
let reader: Desk;

/** Calls of a desk with a login, over one connection. */
class Desk {
  readonly #socket: WebSocket;
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async open(login: string, password: string): Promise<Desk> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}-/bridge`, { headers: headersOf(login, password) });
    await once(socket, 'open');
    return new Desk(socket);
  }

  async call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
    const id = ++this.#lastId;
    const answer = new Promise<Reply<unknown>>((resolve) => {
      const receive = (data: Buffer): void => {
        // The server follows the contract; the test would fail otherwise.
        const message = JSON.parse(data.toString()) as { kind: string; id?: number; reply: Reply<unknown> };
        if (message.kind !== 'reply' || message.id !== id) return;
        this.#socket.off('message', receive);
        resolve(message.reply);
      };
      this.#socket.on('message', receive);
    });
    this.#socket.send(JSON.stringify({ kind: 'call', id, name, input }));
    const reply = await answer;
    if (!reply.ok) throw new Error(`${name}: ${reply.error.code}: ${reply.error.message}`);
    // As above: the contract of the call.
    return reply.value as CallOutput<N>;
  }

  close(): void {
    this.#socket.close();
  }
}

function headersOf(login: string, password: string): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-audit-'));
  for (const name of ['clips', 'archive']) mkdirSync(join(folder, name));
  const port = await freePort();
  url = `http://127.0.0.1:${port}/`;
  server = sourceServer(
    folder,
    `http 127.0.0.1:${port};\nedit_auth boss "open sesame";\ndvr main { root ${folder}/archive; }\nvod clips { storage ${folder}/clips; }\n` +
      `event_sink journal { url jsonlog://journal.jsonl; }\n` +
      'stream cam { input fake://?width=320&height=180&bitrate=200; dvr @main 1d; }\n' +
      'stream dead { input rtmp://127.0.0.1:1/x/y; alarm no_input critical raise=1s; }\n',
  );
  await server.start();
  reader = await Desk.open('boss', 'open sesame');
  for (const login of ['anna', 'otto'])
    await reader.call('people.create', { login, full_name: '', role: 'administrator', password: PASSWORD });
  anna = await Desk.open('anna', PASSWORD);
});
afterAll(async () => {
  anna.close();
  reader.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Act of a person: the calls that it makes, and where the domain itself records who did it. */
interface Act {
  /** Call that the log names. */
  readonly call: CallName;
  /** Makes the change. Returns who did it by the records of the domain, or nothing if only the log records it. */
  run(desk: Desk): Promise<readonly unknown[] | void>;
}
const act = (call: CallName, run: Act['run']): Act => ({ call, run });

const range = (): { readonly from: number; readonly to: number } => ({ from: Date.now() - 60_000, to: Date.now() });
const versionsOf = async (): Promise<readonly unknown[]> =>
  (await reader.call('config.versions', { limit: 1 })).versions.map(({ who }) => who);
/** Id of the alarm of the stream without an input. */
async function alarmId(): Promise<string> {
  const find = async (): Promise<string | undefined> =>
    (await reader.call('alarms.list', {})).alarms.find(({ name }) => name === 'dead')?.id;
  return until('an alarm', find, LIMIT_MS);
}
let portalId = '';

/** Acts by domain. A domain with calls that change something has at least one. */
const ACTS: Readonly<Record<Domain, readonly Act[]>> = {
  desk: [],
  log: [],
  streams: [
    act('streams.restart', async (desk) => {
      await desk.call('streams.restart', { name: 'cam' });
    }),
    act('streams.add', async (desk) => {
      await desk.call('streams.add', { name: 'added', input_url: 'publish://' });
      return versionsOf();
    }),
  ],
  walls: [
    act('walls.save', async (desk) => {
      const layout = { key: null, columns: 1, rows: 1, cells: [] };
      await desk.call('walls.save', { name: 'Gallery', ...layout, streams: ['cam'] });
    }),
  ],
  alarms: [
    act('alarms.acknowledge', async (desk) => {
      const id = await alarmId();
      await desk.call('alarms.acknowledge', { id, note: 'cable' });
      const open = (await reader.call('alarms.list', {})).alarms;
      const past = (await reader.call('alarms.history', { limit: 10 })).alarms;
      const { events } = await reader.call('events.recent', { limit: 10, event: 'alarm_acknowledged' });
      return [
        ...[...open, ...past].filter((one) => one.id === id).map(({ acknowledged_by: by }) => by),
        ...events.map((event) => Reflect.get(event, 'by') as unknown),
      ];
    }),
  ],
  archive: [
    act('archive.lock', async (desk) => {
      await desk.call('archive.lock', { name: 'cam', ...range(), note: 'goal' });
      return (await reader.call('archive.marks', { names: ['cam'], ...range() })).locks.map(({ by }) => by);
    }),
    act('archive.add_note', async (desk) => {
      const note = await desk.call('archive.add_note', { name: 'cam', at: Date.now() - 1000, text: 'goal' });
      return [note.by];
    }),
    act('archive.export', async (desk) => {
      const recorded = async (): Promise<{ readonly from: number } | undefined> =>
        (await reader.call('archive.recorded', { names: ['cam'], ...range() })).streams[0]?.ranges[0];
      const { from } = await until('a recording', recorded, LIMIT_MS);
      const job = await desk.call('archive.export', { name: 'cam', from, duration: 1000 });
      return [job.created_by];
    }),
    act('cases.create', async (desk) => [(await desk.call('cases.create', { title: 'Goal', note: '' })).created_by]),
  ],
  breaks: [
    act('ads.splice_insert', async (desk) => {
      await desk.call('ads.splice_insert', { name: 'cam', kind: 'out' });
    }),
  ],
  clips: [
    act('clips.upload', async (desk) => {
      const file = { location: 'clips', folder: '', name: 'a.mp4', sizeBytes: 1, mayReplace: false };
      await desk.call('clips.upload', file);
    }),
  ],
  viewers: [
    act('sessions.ban', async (desk) => {
      await desk.call('sessions.ban', { kind: 'user', value: 'pat', seconds: 60, reason: '' });
      return (await reader.call('sessions.bans', {})).bans.map(({ who }) => who);
    }),
  ],
  portals: [
    act('portals.create', async (desk) => {
      ({ portalId } = await desk.call('portals.create', { name: 'kiosk' }));
    }),
  ],
  subscribers: [
    act('subscribers.change', async (desk) => {
      const change = { type: 'createSubscriber', name: 'Ana Berg' } as const;
      await desk.call('subscribers.change', { portalId, change });
      const { operations } = await reader.call('subscribers.operations', { portalId });
      return operations.map(({ payload }) => Reflect.get(payload, 'managerEmail') as unknown);
    }),
  ],
  system: [
    act('events.test_sink', async (desk) => {
      await desk.call('events.test_sink', { name: 'journal' });
      const { events } = await reader.call('events.recent', { limit: 10, event: 'event_sink_test' });
      return events.map((event) => Reflect.get(event, 'who') as unknown);
    }),
  ],
  configuration: [
    act('config.apply', async (desk) => {
      const { text, revision } = await desk.call('config.text', {});
      await desk.call('config.apply', { text: `${text}stream second { input publish://; }\n`, revision });
      const { events } = await reader.call('events.recent', { limit: 1, event: 'config_applied' });
      return [...(await versionsOf()), ...events.map((event) => Reflect.get(event, 'by') as unknown)];
    }),
  ],
  people: [
    act('people.create', async (desk) => {
      const person = { login: 'fred', full_name: '', role: 'viewer', password: PASSWORD } as const;
      return [(await desk.call('people.create', person)).created_by];
    }),
    act('people.update', async (desk) => {
      await desk.call('people.update', { login: 'fred', prefixes: ['field'] });
    }),
  ],
  account: [
    // Changes the password of the caller, so that the connection of anna ends: it is the last act.
    act('people.change_own_password', async (desk) => {
      await desk.call('people.change_own_password', { current_password: PASSWORD, password: NEW_PASSWORD });
    }),
  ],
};

/** Newest event of a call, by the name or path of the call. */
async function logged(path: string): Promise<unknown> {
  const { events } = await reader.call('events.recent', { limit: 1000, event: 'api_call' });
  return events.findLast((event) => Reflect.get(event, 'path') === path);
}

describe('an act of a person', () => {
  it('is tested in each domain in which something can be changed, and only there', () => {
    const changing = new Set(Object.entries(CALLS).flatMap(([name, { isWrite }]) => (isWrite ? [domainOf(name)] : [])));
    expect(DOMAINS.filter((domain) => ACTS[domain].length > 0)).toEqual(
      DOMAINS.filter((domain) => changing.has(domain)),
    );
    for (const domain of DOMAINS)
      for (const { call } of ACTS[domain])
        expect([call, domainOf(call), CALLS[call].isWrite]).toEqual([call, domain, true]);
  });

  const ordered = [...DOMAINS].sort((a, b) => Number(a === 'account') - Number(b === 'account'));
  // Portals come before the subscribers in them.
  ordered.splice(ordered.indexOf('subscribers'), 0, ...ordered.splice(ordered.indexOf('portals'), 1));
  it.each(ordered.flatMap((domain) => ACTS[domain].map((one) => [domain, one.call, one] as const)))(
    'in %s (%s) is recorded with the login',
    async (_, call, { run }) => {
      const recorded = await run(anna);
      if (recorded) expect(new Set(recorded)).toEqual(new Set(['anna']));
      expect(await logged(call)).toMatchObject({ method: 'CALL', user: 'anna', ip: '127.0.0.1', status: 200 });
    },
  );

  it('over HTTP is recorded with the login too, and refused acts as well', async () => {
    const send = async (login: string, password: string): Promise<number> => {
      const reply = await fetch(`${url}mediaserver/api/v3/streams/cam/stop`, {
        method: 'POST',
        headers: headersOf(login, password),
      });
      await reply.text();
      return reply.status;
    };
    const path = '/mediaserver/api/v3/streams/cam/stop';
    const byOtto = { method: 'POST', operation: 'stream_stop', target: 'cam', user: 'otto' };
    expect(await send('otto', PASSWORD)).toBe(204);
    await expect.poll(() => logged(path)).toMatchObject({ ...byOtto, status: 204 });
    await reader.call('people.update', { login: 'otto', role: 'viewer' });
    expect(await send('otto', PASSWORD)).toBe(403);
    await expect.poll(() => logged(path)).toMatchObject({ user: 'otto', status: 403 });
  });
});
