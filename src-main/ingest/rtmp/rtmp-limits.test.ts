import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTestCertificate } from '../../../tests/helpers/test-certificate.ts';
import { TestGate } from '../../../tests/helpers/publisher-port.ts';
import { RtmpEncoder } from '../../../tests/helpers/rtmp-encoder.ts';
import { until } from '../../../tests/helpers/until.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { amfObject } from '../../media/containers/rtmp/amf0.ts';
import { readUserControl, USER_CONTROL } from '../../media/containers/rtmp/protocol-control.ts';
import { ByteBudget } from '../byte-budget.ts';
import { ConnectionBoard, ConnectionCount } from './connection-count.ts';
import { RtmpServer, type RtmpServerOptions } from './rtmp-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-rtmp-'));
const media = testMedia();
let gate: TestGate;
let clock: FakeClock;
let server: RtmpServer;

async function serve(options: Partial<RtmpServerOptions> = {}): Promise<void> {
  server = new RtmpServer({ port: 0, host: '127.0.0.1', gate, clock, ...options });
  await server.start();
}

/** Makes a TLS connection and returns whether it succeeded. */
async function isAccepted(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  const isSecure = await new Promise<boolean>((resolve) => {
    socket.once('secureConnect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
  socket.destroy();
  return isSecure;
}

/** Connection count with a maximum. */
function countUpTo(maxConnections: number): ConnectionCount {
  const board = new ConnectionBoard(1);
  board.apply({ maxConnections, maxPerAddress: maxConnections });
  return new ConnectionCount(board.memory);
}

beforeEach(() => {
  gate = new TestGate();
  clock = new FakeClock();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

afterEach(async () => {
  await server.close();
  expect(server.counters.connections).toBe(0);
});

/** Advances the clock in steps, as seen by a running server. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 1000) clock.advance(Math.min(left, 1000));
}

describe('time limits of RTMP connections', () => {
  it('close 500 silent connections, which use little memory', async () => {
    await serve();
    const before = process.memoryUsage().arrayBuffers;
    const encoders = await Promise.all(Array.from({ length: 500 }, () => RtmpEncoder.connect(server.port)));
    const publisher = await RtmpEncoder.publish(server.port, 'live', 'cam1');
    await publisher.untilStatus('NetStream.Publish.Start');
    expect(server.counters.connections).toBe(501);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
    pass(6000);
    await Promise.all(encoders.map((encoder) => encoder.untilClosed()));
    publisher.play(media, 0.5);
    await gate.until(() => gate.publishers[0]?.units.length === [...media.units(0.5)].length);
    expect(server.counters).toMatchObject({ connections: 1, accepted: 501, refused: 0 });
  });

  it('close connections that send their handshake slowly, or never publish', async () => {
    await serve();
    const trickling = await RtmpEncoder.connect(server.port);
    const idle = await RtmpEncoder.connect(server.port);
    trickling.socket.write(Uint8Array.of(3, 0, 0));
    idle.greet();
    idle.command('connect', 1, [amfObject({ app: 'live' })]);
    await idle.untilStatus('NetConnection.Connect.Success');
    pass(6000);
    await trickling.untilClosed();
    expect(server.counters.connections).toBe(1);
    pass(5000);
    await idle.untilClosed();
  });

  it('close TLS connections that do not finish their handshake, which frees their places', async () => {
    const { key, cert } = makeTestCertificate(folder, 'handshakes');
    await serve({ tls: { key: key.toString(), cert: cert.toString() }, count: countUpTo(2) });
    const encoders = [await RtmpEncoder.connect(server.port), await RtmpEncoder.connect(server.port)];
    await until(
      'the count of both connections',
      () => server.counters.refused === 0 && !encoders.some(({ socket }) => socket.connecting),
      30_000,
    );
    expect(await isAccepted(server.port)).toBe(false);
    encoders[0]?.socket.write(Uint8Array.of(22, 3, 1));
    pass(6000);
    await Promise.all(encoders.map((encoder) => encoder.untilClosed()));
    await until('a free connection', () => isAccepted(server.port), 30_000);
  });

  it('also apply while the gate decides, and to a refused encoder', async () => {
    await serve();
    gate.barrier = new Promise(() => {});
    const encoder = await RtmpEncoder.connect(server.port);
    encoder.greet();
    encoder.command('connect', 1, [amfObject({ app: 'live' })]);
    encoder.command('createStream', 2, [null]);
    await encoder.untilStatus('NetConnection.Connect.Success');
    pass(8000);
    encoder.command('publish', 3, [null, 'cam1', 'live'], 1);
    await gate.until(() => gate.requests.length === 1);
    pass(9000);
    expect(encoder.statusCodes).toEqual(['NetConnection.Connect.Success']);
    const isClosed = new Promise((resolve) => encoder.socket.once('close', resolve));
    // The encoder does not close its side.
    encoder.socket.allowHalfOpen = true;
    pass(2000);
    await encoder.untilStatus('NetStream.Publish.Denied');
    pass(1000);
    expect(server.counters.connections).toBe(1);
    pass(3000);
    encoder.socket.end();
    await isClosed;
  });

  it('ping a silent publisher, and then end it as stalled', async () => {
    await serve();
    const encoder = await RtmpEncoder.publish(server.port, 'live', 'cam1');
    await encoder.untilStatus('NetStream.Publish.Start');
    pass(12_000);
    await encoder.until(() =>
      encoder.messages.some(
        ({ type, payload }) => type === 4 && readUserControl(payload)?.event === USER_CONTROL.pingRequest,
      ),
    );
    expect(gate.publishers[0]?.ends).toEqual([]);
    pass(10_000);
    await encoder.untilClosed();
    expect(gate.publishers[0]?.ends.map((end) => end.code)).toEqual(['input_stalled']);
  });
});

describe('publishers read by ticks', () => {
  /** Eight encoders that have published long enough for deferred reads. */
  async function publishSteadily(): Promise<RtmpEncoder[]> {
    const encoders: RtmpEncoder[] = [];
    for (let index = 0; index < 8; index++) {
      const encoder = await RtmpEncoder.publish(server.port, 'live', `cam${index}`);
      await encoder.untilStatus('NetStream.Publish.Start');
      encoders.push(encoder);
    }
    for (let tick = 0; tick < 4; tick++) {
      const before = gate.publishers.map(({ receivedBytes }) => receivedBytes);
      for (const encoder of encoders) encoder.play(media, 0.2);
      await until(
        'bytes',
        () => gate.publishers.every(({ receivedBytes }, index) => receivedBytes > (before[index] ?? 0)),
        30_000,
      );
      clock.advance(40);
    }
    return encoders;
  }

  /** Runs ticks until a condition holds. */
  async function untilTicked(what: string, condition: () => boolean): Promise<void> {
    await until(
      what,
      () => {
        clock.advance(40);
        return condition();
      },
      30_000,
    );
  }

  it('lose no data, and end when the encoder disconnects', async () => {
    await serve();
    const encoders = await publishSteadily();
    const sent = encoders.map(
      (encoder) =>
        new Promise<void>((resolve) => {
          encoder.play(media, 1);
          encoder.socket.write(new Uint8Array(0), () => resolve());
        }),
    );
    await Promise.all(sent);
    const received = (): number => gate.publishers.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0);
    const before = received();
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(received()).toBe(before);
    await untilTicked('all bytes', () =>
      gate.publishers.every(({ receivedBytes }, index) => receivedBytes === encoders[index]?.socket.bytesWritten),
    );
    expect(gate.publishers.flatMap(({ problems }) => problems)).toEqual([]);
    for (const [index, encoder] of encoders.entries()) {
      if (index % 2 === 0) encoder.socket.end();
      else encoder.socket.resetAndDestroy();
    }
    await untilTicked('ends', () => gate.publishers.every(({ ends }) => ends.length === 1));
    expect(new Set(gate.publishers.map(({ ends }) => ends[0]?.code))).toEqual(new Set(['publish_closed']));
  });

  it('are ended at once when the server requests it', async () => {
    await serve();
    const encoders = await publishSteadily();
    for (const { close } of gate.publishers) close({ code: 'publish_kicked', detail: 'The operator ends it.' });
    for (const encoder of encoders) await encoder.untilClosed();
    expect(gate.publishers.map(({ ends }) => ends.map(({ code }) => code))).toEqual(
      Array(8).fill([['publish_kicked']].flat()),
    );
  });

  it('are detected as stalled like other publishers', async () => {
    await serve();
    const encoders = await publishSteadily();
    for (let passed = 0; passed < 25; passed++) clock.advance(1000);
    for (const encoder of encoders) await encoder.untilClosed();
    expect(new Set(gate.publishers.flatMap(({ ends }) => ends.map(({ code }) => code)))).toEqual(
      new Set(['input_stalled']),
    );
  });
});

describe('incomplete RTMP messages', () => {
  it('end the connection before publishing if they exceed the limit for commands', async () => {
    await serve();
    const encoder = await RtmpEncoder.connect(server.port);
    encoder.greet();
    encoder.command('connect', 1, [amfObject({ app: 'live' })]);
    await encoder.untilStatus('NetConnection.Connect.Success');
    encoder.sendTruncated(3 << 20);
    await encoder.untilClosed();
  });

  it('end only the connection that holds the most bytes', async () => {
    const budget = new ByteBudget(6 << 20);
    server = new RtmpServer({ port: 0, host: '127.0.0.1', gate, clock, budget });
    await server.start();
    const encoders: RtmpEncoder[] = [];
    for (const [index, mebibytes] of [1, 4].entries()) {
      const encoder = await RtmpEncoder.publish(server.port, 'live', `cam${index}`);
      encoders.push(encoder);
      await encoder.untilStatus('NetStream.Publish.Start');
      encoder.sendTruncated(mebibytes << 20);
      const expected = encoders.length === 1 ? 1 << 20 : 5 << 20;
      await until('half a message', () => budget.counters.usedBytes >= expected, 30_000);
    }
    const third = await RtmpEncoder.publish(server.port, 'live', 'cam2');
    await third.untilStatus('NetStream.Publish.Start');
    third.sendTruncated(2 << 20);
    await encoders[1]?.untilClosed();
    await gate.until(() => gate.publishers[1]?.ends.length === 1);
    expect(gate.publishers.map(({ ends }) => ends.map(({ code }) => code))).toEqual([[], ['input_too_large'], []]);
    expect(budget.counters.evicted).toBe(1);
  });
});

describe('limits of RTMP connections', () => {
  it('refuse excess connections at once, and accept new ones when others have left', async () => {
    await serve({ count: countUpTo(3) });
    const encoders = await Promise.all([1, 2, 3].map(() => RtmpEncoder.connect(server.port)));
    const surplus = await RtmpEncoder.connect(server.port);
    await surplus.untilClosed();
    expect(server.counters).toMatchObject({ connections: 3, refused: 1 });
    encoders[0]?.socket.destroy();
    await encoders[0]?.untilClosed();
    // A refused connection is closed. An accepted one answers.
    let isPublishing = false;
    while (!isPublishing) {
      const encoder = await RtmpEncoder.publish(server.port, 'live', 'cam1');
      isPublishing = await encoder.untilStatus('NetStream.Publish.Start').then(
        () => true,
        () => false,
      );
    }
    expect(server.counters.connections).toBe(3);
  });

  it('count RTMPS connections before their handshake', async () => {
    const { cert, key } = makeTestCertificate(folder, 'limits');
    await serve({ count: countUpTo(2), tls: { cert: cert.toString(), key: key.toString() } });
    const silent = [await RtmpEncoder.connect(server.port), await RtmpEncoder.connect(server.port)];
    const surplus = await RtmpEncoder.connect(server.port);
    await surplus.untilClosed();
    expect(server.counters).toMatchObject({ connections: 0, refused: 1 });
    expect(silent.map(({ socket }) => socket.destroyed)).toEqual([false, false]);
    for (const { socket } of silent) socket.destroy();
    // A closed connection frees its place for the next one.
    for (let handshake = 0; handshake < 4; handshake++)
      await until('a free connection', () => isAccepted(server.port), 30_000);
  });

  it('RtmpServer rejects a port that is in use', async () => {
    await serve();
    const other = new RtmpServer({ port: server.port, host: '127.0.0.1', gate, clock });
    await expect(other.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
