import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventSchemaOf, type ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import type { ServerMessage } from '../../../src-preload/contract/index.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { until } from '../../helpers/until.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const LIMIT_MS = 30_000;

type Answer = (response: ServerResponse) => void;
const taking: Answer = (response) => response.writeHead(200).end();
const failing: Answer = (response) => response.writeHead(500).end('no');

/** Receiver of events that verifies the signature and the age of each request. */
class EventReceiver {
  answer: Answer = taking;
  /** Requests with events, and whether they were accepted. */
  readonly requests: { readonly id: string; readonly events: readonly ServerEvent[]; readonly isTaken: boolean }[] = [];
  readonly faults: unknown[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        try {
          // Each of these headers has one value.
          const events = new Webhook(SECRET).verify(body, request.headers as Record<string, string>) as ServerEvent[];
          this.requests.push({ id: String(request.headers['webhook-id']), events, isTaken: this.answer === taking });
        } catch (error) {
          this.faults.push(error);
        }
        this.answer(response);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`;
  }

  /** Numbers of the events of accepted requests, in order of arrival. */
  get acceptedNumbers(): number[] {
    return this.requests.filter(({ isTaken }) => isTaken).flatMap(({ events }) => events.map(({ event_id: id }) => id));
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const receiver = new EventReceiver();
let server: AirdeskProcess;

beforeAll(async () => {
  const url = await receiver.start();
  server = await AirdeskProcess.start(`
    event_sink out { url ${url}; secret ${SECRET}; resend_timeout 200ms; extra site=north; }
    event_sink some { url jsonlog://logs/some.jsonl; only event=config_*; }
    event_sink journal { url jsonlog://logs/events.jsonl; }`);
});
afterAll(async () => {
  await server.dispose();
  receiver.close();
});

const sink = async (name: string) => (await server.call('events.sinks', {})).sinks.find((state) => state.name === name);
const journal = (name: string): ServerEvent[] => {
  const path = join(server.folder, 'data/logs', name);
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as ServerEvent)
    : [];
};

it('delivers every event despite failing receivers and a crash of the server', async () => {
  await until(
    'first events',
    () => receiver.acceptedNumbers.length > 0,
    LIMIT_MS,
    () => server.printed,
  );
  receiver.answer = failing;
  const before = receiver.acceptedNumbers.length;
  for (let index = 0; index < 5; index++) {
    await server.call('streams.add', { name: `made${index}`, input_url: 'file://nowhere.ts' });
    await server.call('streams.remove', { name: `made${index}` });
  }
  const failed = await until(
    'a sink that fails',
    async () => {
      const state = await sink('out');
      return state && state.backlog > 20 && state.status === 'retrying' && state.resent > 0 && state;
    },
    LIMIT_MS,
  );
  expect(failed).toMatchObject({
    last_error: { code: 'event_sink_refused', message: 'answered with status 500' },
    dropped: 0,
    dead_letters: 0,
  });
  expect(failed.oldest_waiting_at).toBeGreaterThan(Date.now() - LIMIT_MS);
  // The collection API reports the backlog.
  const shown = (await (await fetch(`${server.url}/streamer/api/v3/event_sinks/out`)).json()) as {
    stats: { backlog: number; last_error: unknown };
    secret: unknown;
  };
  expect(shown.stats.backlog).toBeGreaterThan(20);
  expect(JSON.stringify(shown)).not.toContain(SECRET.slice(6));

  const { events: recent } = await server.call('events.recent', { limit: 1000 });
  expect(recent.filter(({ event }) => event === 'api_call').length).toBe(10);
  expect(recent.filter(({ event }) => event === 'config_applied').length).toBe(10);
  expect(recent.filter(({ event, media }) => event === 'stream_opened' && media === 'made0').length).toBe(1);
  for (const event of recent)
    expect(eventSchemaOf(event.event).safeParse(event).error, JSON.stringify(event)).toBeUndefined();

  // A receiver that reads an event and disconnects without a reply has not accepted the event.
  let disconnects = 0;
  receiver.answer = (response) => {
    disconnects++;
    response.destroy();
  };
  await server.crash();
  await until(
    'attempts after the crash',
    () => disconnects > 1,
    LIMIT_MS,
    () => server.printed,
  );
  expect(receiver.acceptedNumbers.length).toBe(before);
  receiver.answer = taking;
  const ids = recent.map(({ event_id: id }) => id);
  const all = await until(
    'all events',
    () => ids.every((id) => receiver.acceptedNumbers.includes(id)) && receiver.acceptedNumbers,
    LIMIT_MS,
    () => JSON.stringify(ids.filter((id) => !receiver.acceptedNumbers.includes(id))),
  );
  // Events are in order, except repeated ones, and their numbers continue after the crash.
  expect([...new Set(all)]).toEqual([...new Set(all)].toSorted((a, b) => a - b));
  const { events: later } = await server.call('events.recent', { limit: 1000, event: 'server_*' });
  expect(later.map(({ event }) => event)).toEqual(['server_starting', 'server_started']);
  expect(later[0]?.event_id).toBeGreaterThan(Math.max(...ids));
  expect(receiver.faults).toEqual([]);
  expect(receiver.requests.every(({ events }) => events.every((event) => event['site'] === 'north'))).toBe(true);

  // The log file contains each event at least once, and filters apply.
  await until(
    'the log file',
    () => later.every(({ event_id: id }) => journal('events.jsonl').some((event) => event.event_id === id)),
    LIMIT_MS,
  );
  const written = new Set(journal('events.jsonl').map(({ event_id: id }) => id));
  expect(ids.filter((id) => !written.has(id))).toEqual([]);
  expect(new Set(journal('some.jsonl').map(({ event }) => event))).toEqual(new Set(['config_applied']));
  await until('an empty queue', async () => (await sink('out'))?.backlog === 0, LIMIT_MS);
  await until('an idle sink', async () => (await sink('out'))?.status === 'idle', LIMIT_MS);
});

it('sends events to desks as they happen', async () => {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/-/bridge`);
  const messages: Extract<ServerMessage, { kind: 'event' }>[] = [];
  socket.addEventListener('message', ({ data }) => {
    // The server follows the contract; otherwise the test fails.
    const message = JSON.parse(String(data)) as ServerMessage;
    if (message.kind === 'event') messages.push(message);
  });
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ kind: 'subscribe', topic: 'events' }));
  });
  const payload = (index: number) =>
    messages[index]?.payload as { is_snapshot: boolean; events: ServerEvent[] } | undefined;
  await until('the newest events', () => payload(0)?.events.some(({ event }) => event === 'server_started'), LIMIT_MS);
  expect(payload(0)?.is_snapshot).toBe(true);
  const refused = await fetch(`${server.url}/nobody/may/mpegts`, { method: 'POST', body: 'x' });
  expect(refused.status).toBe(403);
  const event = await until(
    'the refusal',
    () =>
      messages
        .slice(1)
        .flatMap((_, index) => payload(index + 1)?.events ?? [])
        .find(({ event: kind }) => kind === 'publish_refused'),
    LIMIT_MS,
  );
  expect(event).toMatchObject({ path: 'nobody/may', ip: '127.0.0.1', code: 'publish_not_allowed' });
  socket.close();
});
