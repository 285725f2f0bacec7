import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { InputEnd } from '../input.ts';

/** Kinds of addresses read by another process. */
export type ExternalKind = 'rtsp' | 'rtmp' | 'srt' | 'file' | 'sdp';

/** Options of an address. */
export interface ExternalOptions {
  /** Transport of RTP: inside the RTSP connection, or in datagrams. */
  readonly transport?: 'tcp' | 'udp';
  readonly userAgent?: string;
  /** Option `insecure`: whether the certificate of the peer is accepted without verification; default false. */
  readonly isInsecure?: boolean;
  /** SRT mode. */
  readonly mode?: 'caller' | 'listener' | 'rendezvous';
  readonly streamId?: string;
  readonly passphrase?: string;
  /** SRT: length of the AES key in bytes, 16, 24 or 32. */
  readonly keyBytes?: number;
  /** SRT: maximum latency of a packet in milliseconds. */
  readonly latencyMs?: number;
}

/** Validated address that another process reads. */
export interface ExternalAddress {
  readonly kind: ExternalKind;
  readonly url: string;
  readonly options: ExternalOptions;
}

const KINDS: Readonly<Record<string, ExternalKind>> = {
  rtsp: 'rtsp',
  rtsps: 'rtsp',
  rtmp: 'rtmp',
  rtmps: 'rtmp',
  srt: 'srt',
};
/** Length limits of a passphrase in SRT. */
const PASSPHRASE = { min: 10, max: 79 };
const MAX_STREAM_ID_LENGTH = 512;
const MAX_LATENCY_MS = 60_000;

/** Schemes of addresses read by another process. */
export const EXTERNAL_SCHEMES: readonly string[] = Object.keys(KINDS);

/**
 * Parses an address of a protocol with its options. The query of `rtsp` and `rtmp` belongs to the peer and stays unchanged; the
 * query of `srt` contains options. Returns the reason if the address is invalid.
 */
export function parseExternalAddress(
  url: string,
  options: Readonly<Record<string, string>>,
): ExternalAddress | InputEnd {
  const parts = /^([a-z]+):\/\/(?:[^/?#@\s]*@)?(\[[^\]]*\]|[^/?#:\s]*)(?::(\d+))?(\/[^?]*)?(?:\?(.*))?$/i.exec(url);
  const kind = KINDS[parts?.[1]?.toLowerCase() ?? ''];
  if (!parts || !kind) return bad(because('address_invalid'));
  const [, , host = '', portText, , query] = parts;
  const port = portText === undefined ? undefined : Number(portText);
  if (port !== undefined && (port < 1 || port > 65_535))
    return bad(because('address_bad_port', { port: String(portText) }));
  if (kind === 'srt')
    return srtAddress(
      host,
      port,
      new Map([...new URLSearchParams(query?.replaceAll('+', '%2B') ?? ''), ...Object.entries(options)]),
    );
  if (host === '') return bad(because('address_without_host'));
  const insecure = options['insecure'] ?? 'false';
  if (insecure !== 'true' && insecure !== 'false') return bad(because('option_true_false', { option: 'insecure' }));
  const tls = insecure === 'true' ? { isInsecure: true } : {};
  if (kind === 'rtmp') return { kind, url, options: tls };
  const transport = options['transport'] ?? 'tcp';
  if (transport !== 'tcp' && transport !== 'udp')
    return bad(because('option_choice', { option: 'transport', values: 'tcp, udp' }));
  const userAgent = options['user_agent'];
  return { kind, url, options: { transport, ...tls, ...(userAgent === undefined ? {} : { userAgent }) } };
}

/**
 * Scheme, host and port of the peer that the input connects to, without secrets; undefined if it connects to no host.
 */
export function peerOrigin({ kind, url, options }: ExternalAddress): URL | undefined {
  if (kind === 'file' || kind === 'sdp' || options.mode === 'listener') return undefined;
  const [, scheme, host, port = ''] = /^([a-z]+):\/\/(?:[^/?#@\s]*@)?(\[[^\]]*\]|[^/?#:\s]*)(:\d+)?/i.exec(url) ?? [];
  return scheme === undefined || !host ? undefined : new URL(`${scheme}://${host}${port}`);
}

function srtAddress(
  host: string,
  port: number | undefined,
  options: ReadonlyMap<string, string>,
): ExternalAddress | InputEnd {
  const mode = options.get('mode') ?? (host === '' ? 'listener' : 'caller');
  if (mode !== 'caller' && mode !== 'listener' && mode !== 'rendezvous')
    return bad(because('option_choice', { option: 'mode', values: 'caller, listener, rendezvous' }));
  if (port === undefined) return bad(because('srt_without_port'));
  if (host === '' && mode !== 'listener') return bad(because('address_without_host'));
  const passphrase = options.get('passphrase');
  if (passphrase !== undefined && (passphrase.length < PASSPHRASE.min || passphrase.length > PASSPHRASE.max)) {
    return bad(because('srt_passphrase', { min: PASSPHRASE.min, max: PASSPHRASE.max }));
  }
  const streamId = options.get('streamid');
  if (streamId !== undefined && streamId.length > MAX_STREAM_ID_LENGTH)
    return bad(because('srt_stream_id', { max: MAX_STREAM_ID_LENGTH }));
  const latencyMs = wholeNumber(options.get('latency'));
  if (Number.isNaN(latencyMs) || (latencyMs ?? 0) > MAX_LATENCY_MS)
    return bad(because('srt_latency', { max: MAX_LATENCY_MS }));
  const keyBytes = wholeNumber(options.get('pbkeylen'));
  if (keyBytes !== undefined && ![16, 24, 32].includes(keyBytes))
    return bad(because('option_choice', { option: 'pbkeylen', values: '16, 24, 32' }));
  return {
    kind: 'srt',
    url: `srt://${host === '' ? '0.0.0.0' : host}:${port}`,
    options: {
      mode,
      ...(streamId === undefined ? {} : { streamId }),
      ...(passphrase === undefined ? {} : { passphrase }),
      ...(latencyMs === undefined ? {} : { latencyMs }),
      ...(keyBytes === undefined ? {} : { keyBytes }),
    },
  };
}

/** Parses a non-negative integer of up to nine digits; NaN for any other text, undefined without a text. */
function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function bad(why: Explained): InputEnd {
  return { code: 'bad_input_url', ...why };
}
