import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { ListenerSet, type ListenerSpec } from './listener-set.ts';
import { silentLog } from './log.ts';

type Kind = 'http' | 'rtmp';

/** Listeners that only record calls; ports in `usedPorts` cannot be opened. */
function stage(): { set: ListenerSet<Kind>; done: string[]; usedPorts: Set<number>; clock: FakeClock } {
  const done: string[] = [];
  const usedPorts = new Set<number>();
  const clock = new FakeClock();
  const open = ({ kind, port }: ListenerSpec<Kind>): Promise<{ port: number; close: () => Promise<void> }> => {
    if (usedPorts.has(port)) return Promise.reject(new Error('EADDRINUSE'));
    done.push(`open ${kind} ${port}`);
    return Promise.resolve({ port, close: () => Promise.resolve(void done.push(`close ${kind} ${port}`)) });
  };
  return { set: new ListenerSet<Kind>({ open, clock, log: silentLog }), done, usedPorts, clock };
}

const at = (kind: Kind, port: number, host: string | null = null): ListenerSpec<Kind> => ({ kind, host, port });

describe('ListenerSet', () => {
  it('changes only different listeners, and closes a port before another listener opens it', async () => {
    const { set, done } = stage();
    await set.apply([at('http', 80), at('rtmp', 1935)]);
    expect(done.splice(0)).toEqual(['open http 80', 'open rtmp 1935']);
    await set.apply([at('rtmp', 1935), at('http', 80)]);
    expect(done).toEqual([]);
    await set.apply([at('http', 80, '127.0.0.1'), at('rtmp', 1935)]);
    expect(done.splice(0)).toEqual(['close http 80', 'open http 80']);
    expect(set.list()).toEqual([
      { ...at('http', 80, '127.0.0.1'), openPort: 80, error: null },
      { ...at('rtmp', 1935), openPort: 1935, error: null },
    ]);
    await set.close();
    expect(done).toEqual(['close http 80', 'close rtmp 1935']);
  });

  it('reports ports that cannot be opened, retries them, and opens the other listeners', async () => {
    const { set, done, usedPorts, clock } = stage();
    usedPorts.add(80);
    await set.apply([at('http', 80), at('http', 81)]);
    expect(done).toEqual(['open http 81']);
    expect(set.list().map(({ openPort, error }) => [openPort, error])).toEqual([
      [null, 'EADDRINUSE'],
      [81, null],
    ]);
    usedPorts.clear();
    clock.advance(10_000);
    await set.apply([at('http', 80), at('http', 81)]);
    expect(set.list().map(({ openPort }) => openPort)).toEqual([80, 81]);
    expect(done.splice(0)).toEqual(['open http 81', 'open http 80']);
    await set.close();
    clock.advance(60_000);
    expect(done).toEqual(['close http 80', 'close http 81']);
  });

  it('replaces listeners on the same port, with real sockets', async () => {
    const set = new ListenerSet<Kind>({
      clock: new FakeClock(),
      log: silentLog,
      open: ({ host, port }) =>
        new Promise((resolve, reject) => {
          const server = createServer();
          server.once('error', reject);
          server.listen(port, host ?? '127.0.0.1', () => {
            const address = server.address();
            resolve({
              port: typeof address === 'object' && address ? address.port : 0,
              close: () =>
                new Promise((closed) => {
                  server.close(() => {
                    closed();
                  });
                }),
            });
          });
        }),
    });
    await set.apply([at('http', 0)]);
    const port = set.list()[0]?.openPort ?? 0;
    expect(port).toBeGreaterThan(0);
    await set.apply([at('rtmp', port), at('http', port, '127.0.0.2')]);
    expect(set.list().map(({ openPort }) => openPort)).toEqual([port, port]);
    await set.apply([at('rtmp', port), at('http', port, '127.0.0.1')]);
    expect(set.list().map(({ error }) => error !== null)).toEqual([false, true]);
    await set.close();
    expect(set.list()).toEqual([]);
  });
});
