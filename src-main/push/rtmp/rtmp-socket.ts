import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { explained } from '../../lib/error-message.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import { closedByTarget, connectionFault } from '../target/connection-fault.ts';
import type { PushFault } from '../target/push-target.ts';
import type { RtmpAddress } from './rtmp-address.ts';

/** Receives the events of a connection. `failed` may be called more than once. */
export interface RtmpSocketEvents {
  /** The connection is open; with TLS, its certificate was accepted. */
  connected(): void;
  /** Bytes of the far side. An exception ends the connection. */
  data(bytes: Buffer): void;
  failed(fault: PushFault): void;
}

/** Connects to an RTMP server by TCP or TLS, under the rules of outgoing connections. */
export function connectRtmp(address: RtmpAddress, hosts: OutgoingHosts, events: RtmpSocketEvents): Socket {
  const { host, port, url, isTls } = address;
  const lookup = hosts.from(url).lookup(url);
  const start = (): void => {
    events.connected();
  };
  const socket = isTls
    ? connectTls({ host, port, lookup, ...(isIP(host) === 0 ? { servername: host } : {}) }, start)
    : connect({ host, port, lookup }, start);
  const lost = (): void => {
    events.failed(closedByTarget());
  };
  socket.setNoDelay(true);
  socket.on('data', (bytes: Buffer) => {
    try {
      events.data(bytes);
    } catch (error) {
      events.failed({ code: 'internal', ...because('push_failed', { reason: explained(error) }) });
    }
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    events.failed(connectionFault(error, `${host}:${port}`));
  });
  socket.on('end', lost);
  socket.on('close', lost);
  return socket;
}
