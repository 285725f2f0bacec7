import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { explained } from '../../lib/error-message.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import type { PushFault } from '../target/push-target.ts';
import type { RtmpAddress } from './rtmp-address.ts';

/** Codes of Node for certificates that are not accepted. */
const CERTIFICATE_ERROR = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL_|HOSTNAME_MISMATCH)/;

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
    events.failed({ code: 'push_lost', ...because('push_closed_by_target') });
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
    events.failed(faultOf(error, address));
  });
  socket.on('end', lost);
  socket.on('close', lost);
  return socket;
}

function faultOf(error: NodeJS.ErrnoException, { host, port }: RtmpAddress): PushFault {
  const { code = '' } = error;
  const server = `${host}:${port}`;
  if (code === 'EACCES') return { code: 'push_forbidden', ...explained(error) };
  if (CERTIFICATE_ERROR.test(code))
    return { code: 'push_bad_certificate', ...because('push_certificate', { server, reason: explained(error) }) };
  if (code === 'EPIPE' || code === 'ECONNRESET') return { code: 'push_lost', ...because('push_closed_by_target') };
  return { code: 'push_unreachable', ...because('push_unreachable', { server, reason: explained(error) }) };
}
