import { beforeEach, describe, expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentEvents } from '../events/event-bus.ts';
import type { ListenerKind } from '../host/listeners.ts';
import type { ListenerSpec } from '../lib/listener-set.ts';
import { silentLog } from '../lib/log.ts';
import { OwnPorts } from '../lib/own-ports.ts';
import { openListeners, type Listeners } from './listeners.ts';

const warned: string[] = [];
/** Open ports, and ports used by other programs. */
const open = new Set<string>();
const usedPorts = new Set<number>();
let listeners: Listeners;

function listen({ kind, host, port }: ListenerSpec<ListenerKind>): Promise<{ port: number; close(): Promise<void> }> {
  if (usedPorts.has(port)) return Promise.reject(new Error('address in use'));
  const key = `${kind} ${host ?? '*'}:${port}`;
  open.add(key);
  return Promise.resolve({
    // The system chooses a port if none is given.
    port: port === 0 ? 49_152 : port,
    close: () => {
      open.delete(key);
      return Promise.resolve();
    },
  });
}

const apply = (text: string): Promise<void> => listeners.apply(configOf(text));
const ownPorts = (): number[] => new OwnPorts(listeners.ownPorts).list();

beforeEach(() => {
  for (const ports of [open, usedPorts]) ports.clear();
  warned.length = 0;
  const none = { total: 0, isFull: false, allow: () => undefined };
  listeners = openListeners(
    { clock: new FakeClock(), log: { ...silentLog, warn: (message) => warned.push(message) } },
    silentEvents,
    { http: listen, rtmp: listen, connections: () => ({ http: none, rtmp: none }) },
  );
  return () => listeners.close();
});

describe('the ports of the server', () => {
  it('are closed before the first configuration', () => {
    expect([listeners.baseUrl, listeners.rtmpUrl, listeners.facts(), ownPorts()]).toEqual(['', null, [], []]);
  });

  it.each([
    ['http 8080; rtmp 1935;', 'http://127.0.0.1:8080', 'rtmp://127.0.0.1:1935'],
    ['http 0.0.0.0:80; http 192.0.2.1:81;', 'http://127.0.0.1:80', null],
    ['http [::1]:8080; rtmp [::]:1935;', 'http://[::1]:8080', 'rtmp://127.0.0.1:1935'],
    ['https 8443; http 192.0.2.1:80; rtmps 1936;', 'http://192.0.2.1:80', null],
    ['https 8443;', 'https://127.0.0.1:8443', null],
    ['http 0;', 'http://127.0.0.1:49152', null],
  ])('of %s are used in the local addresses %s and %s', async (text, base, rtmp) => {
    await apply(text);
    expect([listeners.baseUrl, listeners.rtmpUrl]).toEqual([base, rtmp]);
  });

  it('are reported if they cannot be opened, while other ports are opened', async () => {
    usedPorts.add(80);
    await apply('http 192.0.2.1:80; http 81; rtmp 80;');
    const closed = (place: string): object => ({
      [place]: { fault: 'port_closed', facts: { place, explanation: 'address in use' } },
    });
    expect(listeners.alerts()).toEqual({ ...closed('http 192.0.2.1:80'), ...closed('rtmp 80') });
    expect(listeners.facts()).toEqual([{ protocol: 'http', host: null, port: 81 }]);
    expect([listeners.baseUrl, listeners.rtmpUrl, ownPorts()]).toEqual(['http://127.0.0.1:81', null, [81]]);
    expect(() => {
      listeners.requireHttp();
    }).not.toThrow();
  });

  it('must include an open HTTP port if one is configured', async () => {
    usedPorts.add(80).add(443);
    await apply('http 80; https 443; rtmp 1935;');
    expect(() => {
      listeners.requireHttp();
    }).toThrow(expect.objectContaining({ code: 'port_in_use', message: expect.stringContaining('port 80') as string }));
    await apply('rtmp 1935;');
    // No port is configured, so none fails.
    listeners.requireHttp();
    expect(warned.at(-1)).toContain('no HTTP port');
  });

  it('stay open if the next configuration contains them; other ports are closed', async () => {
    await apply('http 80; rtmp 1935;');
    open.add('kept');
    await apply('http 80; http 81;');
    expect([...open]).toEqual(['http *:80', 'kept', 'http *:81']);
    expect(ownPorts()).toEqual([80, 81]);
    await listeners.close();
    expect([[...open], ownPorts()]).toEqual([['kept'], []]);
  });

  it('are listed once as long as one address uses them', async () => {
    await apply('http 127.0.0.1:8080; http 192.0.2.1:8080;');
    await apply('http 127.0.0.1:8080;');
    expect(ownPorts()).toEqual([8080]);
    await apply('http 127.0.0.1:9090;');
    expect(ownPorts()).toEqual([9090]);
  });
});
