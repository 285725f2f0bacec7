import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { addressOfPeer } from '../lib/network-address.ts';
import { HttpPublishEndpoint, type HttpPublishRequest } from './http-publish-endpoint.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** Publish request that the endpoint passes on for an encoder at `address`. */
async function requestOf(address: string): Promise<HttpPublishRequest> {
  const { promise, resolve } = Promise.withResolvers<HttpPublishRequest>();
  const endpoint = new HttpPublishEndpoint({
    clientAddress: () => address,
    decide: (request) => {
      resolve(request);
      return Promise.resolve({ accepted: false, code: 'publish_not_allowed', detail: 'no' });
    },
    open: () => {
      throw new Error('nobody was accepted');
    },
  });
  server = createServer((request, response) => void endpoint.take(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/cam/mpegts?password=x`, { method: 'POST', body: 'G' });
  expect(answer.status).toBe(403);
  return promise;
}

describe('HttpPublishEndpoint', () => {
  it.each(['192.0.2.1', '2001:db8::1', '::1'])(
    'separates the address of an encoder at %s from its port',
    async (address) => {
      const { peer, path, query } = await requestOf(address);
      expect(addressOfPeer(peer)).toBe(address);
      expect(peer).toMatch(/:\d+$/);
      expect([path, query.get('password')]).toEqual(['cam', 'x']);
    },
  );
});
