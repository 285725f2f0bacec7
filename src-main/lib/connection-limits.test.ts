import { describe, expect, it } from 'vitest';
import { mayConnect, type ConnectionLimits } from './connection-limits.ts';
import { OutgoingHosts } from './outgoing-hosts.ts';
import { OwnPorts } from './own-ports.ts';

const PUBLIC: ConnectionLimits = { kind: 'public', hostAddresses: ['198.51.100.4'], port: 554, ownPorts: [8080] };
const LOOPBACK: ConnectionLimits = {
  kind: 'loopback',
  hostAddresses: ['127.0.0.1'],
  port: 8080,
  ownPorts: [8080, 1935],
};

describe('mayConnect', () => {
  it.each([
    [PUBLIC, '198.51.100.4', 554, true],
    [PUBLIC, '203.0.113.9', 8554, true],
    [PUBLIC, '10.0.0.5', 554, false],
    [PUBLIC, '127.0.0.1', 554, false],
    [PUBLIC, '169.254.169.254', 80, false],
    [PUBLIC, '::ffff:10.0.0.5', 554, false],
    [PUBLIC, 'fd00::1', 554, false],
    [{ ...PUBLIC, kind: 'private' }, '10.0.0.5', 554, true],
    [{ ...PUBLIC, kind: 'private' }, '127.0.0.1', 554, false],
    [LOOPBACK, '127.0.0.1', 8080, true],
    [LOOPBACK, '127.0.0.1', 1935, false],
    [LOOPBACK, '127.0.0.1', 554, true],
    [LOOPBACK, '169.254.169.254', 554, false],
  ] as const)('returns for %o, address %s and port %i: %s', (limits, address, port, is) => {
    expect(mayConnect(limits, address, port)).toBe(is);
  });
});

describe('the connection limits of a configured host', () => {
  const hosts = (...answers: string[][]): OutgoingHosts => {
    const ownPorts = new OwnPorts();
    ownPorts.add(8080);
    return new OutgoingHosts({
      ownPorts,
      lookup: (_name, done) => {
        done(
          null,
          (answers.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      },
    });
  };

  it('contain its addresses, its kind and the ports of this server', async () => {
    const rule = hosts(['198.51.100.4', '2001:db8:1::4']).from(new URL('rtsp://cam.example.org:8554/main'));
    expect(await rule.limits()).toEqual({
      kind: 'public',
      hostAddresses: ['198.51.100.4', '2001:db8:1::4'],
      port: 8554,
      ownPorts: [8080],
    });
  });

  it('omit private addresses if there are public ones', async () => {
    const rule = hosts(['198.51.100.4', '10.0.0.5']).from(new URL('srt://cam.example.org:9000'));
    expect((await rule.limits()).hostAddresses).toEqual(['198.51.100.4']);
  });

  it('refuse a host name that resolves to a loopback address later', async () => {
    const all = hosts(['198.51.100.4'], ['127.0.0.1']);
    const home = new URL('rtmp://cam.example.org/live/x');
    await all.from(home).limits();
    await expect(all.from(home).limits()).rejects.toMatchObject({ code: 'EACCES' });
  });

  it('need no DNS look-up for an address', async () => {
    expect(await hosts().from(new URL('rtsp://[::1]:554/x')).limits()).toMatchObject({
      kind: 'loopback',
      hostAddresses: ['::1'],
    });
  });
});
