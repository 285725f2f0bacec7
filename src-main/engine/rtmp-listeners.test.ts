import { describe, expect, it } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { until } from '../../tests/helpers/until.ts';
import { freePort } from '../../tests/helpers/free-port.ts';
import { createServer, connect } from 'node:net';
import { Engine } from './engine.ts';

function startEngine(threads: number): Engine {
  const nothing = (): void => {};
  return new Engine(
    {
      threads,
      threadEntry: new URL('../media-thread.ts', import.meta.url),
      fileRoot: '/nonexistent',
      clock: systemClock,
      log: silentLog,
    },
    {
      window: () => {
        throw new Error('no stream opens');
      },
      status: nothing,
      decidePlay: () => Promise.resolve({ code: 'stream_not_found', detail: '' }),
      decidePublish: () => Promise.resolve({ accepted: false, code: 'publish_not_allowed', detail: '' }),
      publishEnded: nothing,
      notice: nothing,
      pushNotice: nothing,
      inputAtFault: () => {},
      streamLost: nothing,
      testPicture: () => Promise.reject(new Error('none here')),
      readExternal: () => ({ ended: Promise.resolve(undefined), close: nothing }),
    },
  );
}

/** Reports whether a port accepts connections. */
function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

describe('RTMP ports', () => {
  it.each([0, 2])('can be opened and closed while %d media threads run', async (threads) => {
    const engine = startEngine(threads);
    await engine.start();
    const host = '127.0.0.1';
    const one = await engine.listenRtmp({ host, port: 0 });
    const two = await engine.listenRtmp({ host, port: 0 });
    expect([await isOpen(one.port), await isOpen(two.port), one.port === two.port]).toEqual([true, true, false]);
    await one.close();
    expect([await isOpen(one.port), await isOpen(two.port)]).toEqual([false, true]);
    // The port is free at once.
    const again = await engine.listenRtmp({ host, port: one.port });
    expect(again.port).toBe(one.port);
    await engine.close();
    expect(
      await until('the close of the port', async () => ((await isOpen(two.port)) ? undefined : true), 30_000),
    ).toBe(true);
  });

  it('cannot be opened by two servers', async () => {
    const [one, other] = [startEngine(2), startEngine(2)];
    await Promise.all([one.start(), other.start()]);
    const { port } = await one.listenRtmp({ host: '127.0.0.1', port: 0 });
    await expect(other.listenRtmp({ host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE');
    await Promise.all([one.close(), other.close()]);
  });

  it('are refused if another program uses them, and other ports still open', async () => {
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const engine = startEngine(1);
    await engine.start();
    await expect(engine.listenRtmp({ host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE');
    const free = await engine.listenRtmp({ host: '127.0.0.1', port: 0 });
    expect(await isOpen(free.port)).toBe(true);
    await engine.close();
    other.close();
  });
});
