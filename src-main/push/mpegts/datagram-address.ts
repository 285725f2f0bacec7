import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';

/** Address of a target that takes datagrams. */
export interface DatagramAddress {
  readonly url: URL;
  readonly isRtp: boolean;
  /** Host name, or IP address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Address or name of the network interface that sends; absent: the one of the route. */
  readonly networkInterface?: string;
}

/** Reads `udp://host:port` or `rtp://host:port`, with `?interface=` as for inputs. @returns reason if it is invalid */
export function readDatagramAddress(text: string): DatagramAddress | Explained {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'udp:' && url.protocol !== 'rtp:')) return because('address_invalid');
  const { hostname } = url;
  const port = Number(url.port);
  if (hostname === '') return because('address_without_host');
  if (!(port > 0)) return because('push_without_port');
  const networkInterface = url.searchParams.get('interface') ?? url.searchParams.get('localaddr') ?? '';
  return {
    url,
    isRtp: url.protocol === 'rtp:',
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port,
    ...(networkInterface === '' ? {} : { networkInterface }),
  };
}
