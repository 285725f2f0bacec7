import { isIP, isIPv6 } from 'node:net';
import type { InputEnd } from '../input.ts';
import { readProgram } from '../mpegts/program-option.ts';

/** Address at which datagrams with a transport stream arrive. */
export interface UdpAddress {
  readonly port: number;
  /** Multicast group to join; absent for unicast. */
  readonly group?: string;
  /** Local address to listen on for unicast; absent for all. */
  readonly localAddress?: string;
  /** Address of the only accepted sender; a group is joined for this source only. */
  readonly source?: string;
  /** Address or name of the network interface for joining the group. */
  readonly networkInterface?: string;
  readonly isIpv6: boolean;
  readonly program?: number;
}

const FORM = /^(?:udp|rtp):\/\/(?:([^@/?#]*)@)?(\[[0-9a-f:.]+\]|[^:/?#@[\]]*):(\d{1,5})\/?(?:\?([^#]*))?$/i;

const HINT = 'The address has the form udp://239.0.0.1:1234, udp://source@232.0.0.1:1234 or udp://@:1234';

/**
 * Parses `udp://group:port`, `udp://@:port`, `udp://@group:port`, `udp://source@group:port` and `udp://local-address:port`, also
 * with the scheme `rtp`, with the options `?interface=` (or `localaddr=`) and `?program=`. Hosts are addresses, not names.
 */
export function parseUdpAddress(text: string): UdpAddress | InputEnd {
  const parts = FORM.exec(text);
  const port = Number(parts?.[3]);
  const host = (parts?.[2] ?? '').replace(/^\[|\]$/g, '');
  const source = parts?.[1] ?? '';
  const query = new URLSearchParams(parts?.[4] ?? '');
  const isGood =
    parts && port >= 1 && port <= 65_535 && (host === '' || isIP(host) > 0) && (source === '' || isIP(source) > 0);
  if (!isGood) return { code: 'bad_input_url', detail: HINT };
  const program = readProgram(query);
  const networkInterface = query.get('interface') ?? query.get('localaddr') ?? '';
  return {
    port,
    ...(isMulticast(host) ? { group: host } : host === '' ? {} : { localAddress: host }),
    ...(source === '' ? {} : { source }),
    ...(networkInterface === '' ? {} : { networkInterface }),
    isIpv6: isIPv6(host) || isIPv6(source),
    ...(program === undefined ? {} : { program }),
  };
}

function isMulticast(host: string): boolean {
  const first = Number(host.split('.')[0]);
  return isIPv6(host) ? /^ff/i.test(host) : first >= 224 && first <= 239;
}
