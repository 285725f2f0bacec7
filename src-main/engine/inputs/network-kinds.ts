import type { InputSpec } from '../../ingest/input.ts';
import { resolve } from 'node:path';
import { ExternalInput } from '../../ingest/external/external-input.ts';
import { parseHlsAddress } from '../../ingest/hls/hls-address.ts';
import { HlsInput } from '../../ingest/hls/hls-input.ts';
import { parseTsHttpAddress } from '../../ingest/mpegts/ts-http-address.ts';
import { TsHttpInput } from '../../ingest/mpegts/ts-http-input.ts';
import { parseUdpAddress } from '../../ingest/udp/udp-address.ts';
import { UdpInput } from '../../ingest/udp/udp-input.ts';
import { checked, optionsOf, withOptions, type InputKind } from './input-kind.ts';

/** `udp://`: MPEG-TS over UDP, including multicast. */
export const udp: InputKind = {
  open: (spec, sink, { budget }) => new UdpInput({ address: checked(udpAddress(spec)), budget }, sink),
  parse: udpAddress,
  ownPort: unicastPort,
};

/** `rtp://`: RTP with MPEG-TS, or with payloads that an SDP file (RFC 8866) describes. */
export const rtp: InputKind = {
  open: (spec, sink, options, streamName) => {
    const sdp = optionsOf(spec).get('sdp');
    if (sdp === undefined) return udp.open(spec, sink, options, streamName);
    const { clock, fileRoot, allowed, external, turns } = options;
    const path = resolve(fileRoot, sdp);
    return new ExternalInput(
      {
        ...external,
        clock,
        address: { kind: 'sdp', url: `file:${path}`, options: {} },
        locate: () => turns.run(path, async () => `file:${await allowed.locateConfigured(path)}`),
      },
      sink,
    );
  },
  parse: (spec) => (optionsOf(spec).has('sdp') ? {} : udpAddress(spec)),
  ownPort: (spec) => (optionsOf(spec).has('sdp') ? undefined : unicastPort(spec)),
};

/** `tshttp://`, `tshttps://`: MPEG-TS as the body of an HTTP answer. */
export const tsHttp: InputKind = {
  open: (spec, sink, { budget, hosts, ticks }) => {
    const userAgent = spec.options['user_agent'];
    const address = checked(tsHttpAddress(spec));
    return new TsHttpInput(
      {
        address,
        budget,
        hosts,
        ticks,
        isInsecure: spec.options['insecure'] === 'true',
        ...(userAgent === undefined ? {} : { userAgent }),
      },
      sink,
    );
  },
  parse: tsHttpAddress,
};

/** `hls://`, `hlss://`: HLS from another server. */
export const hls: InputKind = {
  open: (spec, sink, { clock, hosts, budget }) =>
    new HlsInput({ settings: checked(hlsAddress(spec)), clock, hosts, budget }, sink),
  parse: hlsAddress,
};

function udpAddress(spec: InputSpec): ReturnType<typeof parseUdpAddress> {
  return parseUdpAddress(withOptions(spec, ['program', 'interface', 'localaddr']));
}

/**
 * UDP port of a unicast input; undefined for multicast. Several inputs can receive groups on one port, but a unicast
 * port belongs to one input.
 */
function unicastPort(spec: InputSpec): number | undefined {
  const address = udpAddress(spec);
  return 'code' in address || address.group !== undefined ? undefined : address.port;
}

/** Address at which an input receives datagrams; undefined if it receives none. */
export function datagramListener(spec: InputSpec): { readonly port: number; readonly address?: string } | undefined {
  if (!/^(?:udp|rtp):/.test(spec.url)) return undefined;
  const address = udpAddress(spec);
  if ('code' in address) return undefined;
  const at = address.group ?? address.localAddress;
  return { port: address.port, ...(at === undefined || at === '0.0.0.0' || at === '::' ? {} : { address: at }) };
}

function tsHttpAddress(spec: InputSpec): ReturnType<typeof parseTsHttpAddress> {
  return parseTsHttpAddress(withOptions(spec, ['program']));
}

function hlsAddress({ url, options }: InputSpec): ReturnType<typeof parseHlsAddress> {
  return parseHlsAddress(url, options);
}
