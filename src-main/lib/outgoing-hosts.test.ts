import { createServer } from 'node:http';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { networkKind } from './network-address.ts';
import { OutgoingHosts } from './outgoing-hosts.ts';
import { OwnPorts } from './own-ports.ts';

describe('networkKind', () => {
  it.each([
    ['192.0.2.1', 'public'],
    ['2001:db8::1', 'public'],
    ['64:ff9b::c000:201', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.9.9.9', 'loopback'],
    ['0.0.0.0', 'loopback'],
    ['::', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['::ffff:0:127.0.0.1', 'loopback'],
    ['::ffff:0:169.254.169.254', 'link-local'],
    ['::ffff:0:10.0.0.1', 'private'],
    ['::ffff:0:192.0.2.1', 'public'],
    ['::127.0.0.1', 'loopback'],
    ['::169.254.169.254', 'link-local'],
    ['::192.168.0.1', 'private'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'private'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd00::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['64:ff9b::a00:1', 'private'],
    ['2002:7f00:1::', 'private'],
    ['224.0.0.1', 'private'],
    ['255.255.255.255', 'private'],
    ['169.254.169.254', 'link-local'],
    ['fe80::1', 'link-local'],
    ['::ffff:169.254.169.254', 'link-local'],
  ])('returns for %s the kind %s', (address, kind) => {
    expect(networkKind(address)).toBe(kind);
  });
});

/** Hosts whose names resolve to the given addresses, one after another. */
function hosts(answers: Readonly<Record<string, readonly string[]>>, ownPorts = new OwnPorts()): OutgoingHosts {
  const left = new Map(Object.entries(answers).map(([name, addresses]) => [name, [...addresses]]));
  return new OutgoingHosts({
    ownPorts,
    lookup: (name, done) => {
      const all = left.get(name);
      const address = (all && all.length > 1 ? all.shift() : all?.[0]) ?? '192.0.2.99';
      done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
    },
  });
}

function lookUp(rule: ReturnType<OutgoingHosts['from']>, address: string): Promise<string> {
  const url = new URL(address);
  return new Promise((resolve) => {
    rule.lookup(url)(url.hostname, {}, (error, found) => {
      resolve(error ? (error.code ?? '') : typeof found === 'string' ? found : 'a list');
    });
  });
}

describe('the requests allowed for an input', () => {
  it.each([
    ['http://192.0.2.1/', 'http://127.0.0.1/'],
    ['http://192.0.2.1/', 'http://127.1/'],
    ['http://192.0.2.1/', 'http://2130706433/'],
    ['http://192.0.2.1/', 'http://0x7f.0.0.1/'],
    ['http://192.0.2.1/', 'http://[::1]/'],
    ['http://192.0.2.1/', 'http://[::ffff:127.0.0.1]/'],
    ['http://192.0.2.1/', 'http://169.254.169.254/latest/meta-data'],
    ['http://192.0.2.1/', 'http://10.0.0.1/'],
    ['http://10.0.0.1/', 'http://127.0.0.1/'],
    ['http://10.0.0.1/', 'http://169.254.169.254/'],
    ['http://127.0.0.1/', 'http://169.254.169.254/'],
    ['http://192.0.2.1/', 'file:///etc/passwd'],
    ['http://192.0.2.1/', 'ftp://192.0.2.1/'],
  ])('from %s do not include %s', (home, address) => {
    expect(hosts({}).from(new URL(home)).refusal(new URL(address))).toBeTypeOf('object');
  });

  it.each([
    ['http://192.0.2.1/', 'http://192.0.2.2:8080/'],
    ['http://127.0.0.1:8088/', 'http://127.0.0.1:9000/'],
    ['http://127.0.0.1/', 'http://10.0.0.1/'],
    ['http://10.0.0.1/', 'http://192.168.1.1/'],
    ['http://10.0.0.1/', 'http://192.0.2.1/'],
  ])('from %s include %s', (home, address) => {
    expect(hosts({}).from(new URL(home)).refusal(new URL(address))).toBeUndefined();
  });

  it('depend on the addresses of host names', async () => {
    const all = hosts({
      'origin.example.org': ['192.0.2.1'],
      'evil.example.org': ['127.0.0.1'],
      packager: ['10.0.0.7'],
    });
    const rule = all.from(new URL('http://origin.example.org/a'));
    expect(await lookUp(rule, 'http://origin.example.org/a')).toBe('192.0.2.1');
    expect(await lookUp(rule, 'http://cdn.example.org/a')).toBe('192.0.2.99');
    expect(await lookUp(rule, 'http://evil.example.org/a')).toBe('EACCES');
    const own = all.from(new URL('http://packager/a'));
    expect(await lookUp(own, 'http://packager/a')).toBe('10.0.0.7');
    expect(own.refusal(new URL('http://10.0.0.8/'))).toBeUndefined();
  });

  it('are limited by the first addresses of a host name that later changes', async () => {
    const all = hosts({ 'evil.example.org': ['192.0.2.1', '127.0.0.1'] });
    const home = new URL('http://evil.example.org/a');
    expect(await lookUp(all.from(home), home.href)).toBe('192.0.2.1');
    // Second attempt of the same input.
    expect(await lookUp(all.from(home), home.href)).toBe('EACCES');
    expect(all.from(home).refusal(new URL('http://127.0.0.1/'))).toBeTypeOf('object');
  });

  it('never include a port of this server, unless the operator configured it', () => {
    const ports = new OwnPorts();
    ports.add(8080);
    ports.add(80);
    const rule = hosts({}, new OwnPorts(ports.shared)).from(new URL('http://127.0.0.1:8088/'));
    expect(rule.refusal(new URL('http://127.0.0.1:8080/'))).toBeTypeOf('object');
    expect(rule.refusal(new URL('http://127.0.0.1/'))).toBeTypeOf('object');
    expect(rule.refusal(new URL('http://127.0.0.1:8081/'))).toBeUndefined();
    expect(
      hosts({}, ports).from(new URL('http://127.0.0.1:8080/')).refusal(new URL('http://127.0.0.1:8080/x')),
    ).toBeUndefined();
    ports.delete(8080);
    expect(rule.refusal(new URL('http://127.0.0.1:8080/'))).toBeUndefined();
  });

  it('have credentials for the configured host only', () => {
    const rule = hosts({}).from(new URL('https://origin.example.org/a'));
    expect(rule.isHome(new URL('https://origin.example.org/b'))).toBe(true);
    expect(rule.isHome(new URL('http://origin.example.org/b'))).toBe(false);
    expect(rule.isHome(new URL('https://origin.example.org:8443/b'))).toBe(false);
    expect(rule.isHome(new URL('https://cdn.example.org/b'))).toBe(false);
  });
});

describe('an outgoing connection', () => {
  const server = createServer((_request, response) => response.end('inside'));
  afterEach(() => server.close());

  it('to a private address of another host name is refused for a public origin', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const rule = hosts({ 'evil.example.org': ['127.0.0.1'] }).from(new URL('http://192.0.2.1/'));
    const url = new URL(`http://evil.example.org:${port}/`);
    const error = await new Promise<NodeJS.ErrnoException>((resolve, reject) => {
      get(url, { lookup: rule.lookup(url), agent: false }, () => {
        reject(new Error('it answered'));
      }).on('error', resolve);
    });
    expect(error.code).toBe('EACCES');
  });
});
