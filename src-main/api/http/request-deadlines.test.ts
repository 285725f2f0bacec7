import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import type { Server as HttpServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../../../tests/helpers/edge-run.ts';
import { until } from '../../../tests/helpers/until.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { Tally } from '../../lib/tally.ts';
import { BODY_MS, NEXT_HEAD_MS, type TimeoutPhase } from './request-deadlines.ts';
import { createApiServer } from './api-server.ts';

/**
 * API server behind a server that accepts the connections, as the media edge does. Requests below `/publish` are
 * publishers.
 */
class Stage {
  readonly clock = new FakeClock();
  readonly cut = new Tally<TimeoutPhase>();
  readonly server: HttpServer;
  readonly #edge: Server;
  #open = 0;

  constructor() {
    this.server = createApiServer({
      clock: this.clock,
      media: (request) => {
        if (request.url !== '/publish') return false;
        request.resume();
        return true;
      },
      cut: this.cut,
      serve: (request, response) => {
        if (request.url === '/wait') return;
        request.on('data', () => undefined).on('end', () => response.end('done'));
      },
    });
    this.#edge = createServer((socket) => {
      this.#open++;
      socket.once('close', () => this.#open--);
      this.server.emit('connection', socket);
    });
  }

  get open(): number {
    return this.#open;
  }

  get port(): number {
    // The address of a listening TCP server is an object.
    return (this.#edge.address() as AddressInfo).port;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#edge.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async client(text: string): Promise<Client> {
    const client = new Client(connect(this.port, '127.0.0.1'));
    await client.isOpen;
    client.send(text);
    return client;
  }

  async requests(count: number): Promise<void> {
    let requestCount = 0;
    this.server.on('request', () => requestCount++);
    await until('all requests', () => requestCount >= count, 30_000);
  }

  close(): void {
    this.server.closeAllConnections();
    this.#edge.close();
    this.server.emit('close');
  }
}

let stage: Stage;
afterEach(() => stage.close());

const BODY = 'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n{';

describe('RequestDeadlines', () => {
  it('end requests whose bodies arrive byte by byte, for any number of connections', async () => {
    stage = await new Stage().start();
    const count = 150;
    const all = stage.requests(count);
    const clients = await Promise.all(Array.from({ length: count }, () => stage.client(BODY)));
    await all;
    for (let ms = 0; ms < BODY_MS - 10_000; ms += 10_000) {
      stage.clock.advance(10_000);
      for (const client of clients) client.send(' ');
      await new Promise(setImmediate);
    }
    expect(stage.open).toBe(count);
    stage.clock.advance(10_000);
    for (const client of clients) expect(await client.reply()).toMatchObject({ status: 408 });
    await until('the end of all connections', () => stage.open === 0, 30_000);
    expect([...stage.cut.entries()]).toEqual([['body', count]]);
  });

  it('close a connection that gets the answer to a late body but continues to send', async () => {
    stage = await new Stage().start();
    const all = stage.requests(1);
    const socket = connect({ port: stage.port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(BODY));
    const got: Buffer[] = [];
    socket.on('data', (bytes) => got.push(bytes)).on('error', () => undefined);
    await all;
    stage.clock.advance(BODY_MS);
    await until('the answer request_timeout', () => Buffer.concat(got).toString().includes('request_timeout'), 30_000);
    expect(stage.open).toBe(1);
    stage.clock.advance(5000);
    await until('the end of the connection', () => stage.open === 0, 30_000);
    socket.destroy();
  });

  it('close connections whose second head arrives byte by byte, and idle connections', async () => {
    stage = await new Stage().start();
    const clients = [
      await stage.client('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
      await stage.client('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
    ];
    for (const client of clients) expect((await client.reply()).status).toBe(200);
    for (let ms = 0; ms < NEXT_HEAD_MS + 5000; ms += 5000) {
      clients[0]?.send(ms === 0 ? 'GET / HTTP/1.1\r\nX: ' : 'x');
      await new Promise(setImmediate);
      stage.clock.advance(5000);
    }
    await until('the end of both connections', () => stage.open === 0, 30_000);
  });

  it('do not apply to publishers, nor to requests that wait for the server', async () => {
    stage = await new Stage().start();
    const all = stage.requests(3);
    await stage.client('POST /publish HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n');
    await stage.client('GET /wait HTTP/1.1\r\nHost: a\r\n\r\n');
    await stage.client(BODY);
    await all;
    stage.clock.advance(BODY_MS + 5000);
    await until('the end of the body', () => stage.open === 2, 30_000);
    stage.clock.advance(10 * BODY_MS);
    await new Promise(setImmediate);
    expect(stage.open).toBe(2);
  });
});
