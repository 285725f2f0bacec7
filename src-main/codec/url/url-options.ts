/** Options for reading an address; a missing option has the default of FFmpeg. */
export interface UrlOptions {
  /** RTSP: transport of the media, inside the RTSP connection, or in datagrams. */
  readonly transport?: 'tcp' | 'udp';
  readonly userAgent?: string;
  /** TLS: true to accept any certificate of the peer. */
  readonly isInsecure?: boolean;
  /** SRT mode. */
  readonly mode?: 'caller' | 'listener' | 'rendezvous';
  readonly streamId?: string;
  readonly passphrase?: string;
  /** SRT: length of the AES key in bytes, 16, 24 or 32. */
  readonly keyBytes?: number;
  /** SRT: maximum delay of a packet, in milliseconds. */
  readonly latencyMs?: number;
}

/** Kinds of addresses that a codec process reads. */
export type UrlKind = 'rtsp' | 'rtmp' | 'srt' | 'file' | 'sdp';

/** Time without any data after which a connection counts as lost, in milliseconds. */
export const SILENCE_MS = 20_000;
/**
 * Time after which an SRT caller without an answer concludes that there is no listener, in milliseconds. A refusal arrives at
 * once.
 */
export const SRT_CONNECT_MS = 5000;
const MICROSECONDS = 1000;
/** Receive buffer for datagrams requested from the system, in bytes. */
const RECEIVE_BYTES = 4 << 20;

/** Formats allowed for files: none of them refers to other files or addresses. */
const FILE_FORMATS =
  'matroska,webm,avi,flv,asf,mpeg,mpegvideo,mxf,gxf,nut,ogg,wav,w64,aiff,mp3,aac,ac3,eac3,h264,hevc,mov,mp4,m4a,3gp,3g2,mj2,mpegts,live_flv,flac,caf,rm,wtv,dv';

/** Whether the connection to an address checks a certificate. */
export function isOverTls(url: string): boolean {
  return /^(rtsps|rtmps):/i.test(url);
}

/**
 * FFmpeg options for an address. `protocol_whitelist` also limits redirects.
 *
 * @param caFile trusted authorities; if given, the peer must present a certificate of one of them
 */
export function ffmpegOptions(kind: UrlKind, options: UrlOptions, caFile?: string): Record<string, string> {
  const tls: Record<string, string> = caFile === undefined ? {} : { tls_verify: '1', ca_file: caFile };
  switch (kind) {
    case 'rtsp':
      return {
        ...tls,
        protocol_whitelist: 'rtsp,rtsps,tls,tcp,udp,rtp',
        rtsp_transport: options.transport ?? 'tcp',
        timeout: String(SILENCE_MS * MICROSECONDS),
        allowed_media_types: 'video+audio',
        buffer_size: String(RECEIVE_BYTES),
        ...(options.userAgent === undefined ? {} : { user_agent: options.userAgent }),
      };
    case 'rtmp':
      return {
        ...tls,
        protocol_whitelist: 'rtmp,rtmps,tls,tcp',
        rtmp_live: 'live',
        rw_timeout: String(SILENCE_MS * MICROSECONDS),
      };
    case 'srt':
      return { ...srtOptions(options), protocol_whitelist: 'srt' };
    case 'file':
      return { protocol_whitelist: 'file', format_whitelist: FILE_FORMATS };
    case 'sdp':
      return {
        protocol_whitelist: 'file,rtp,udp',
        allowed_media_types: 'video+audio',
        buffer_size: String(RECEIVE_BYTES),
      };
    default:
      return kind satisfies never;
  }
}

function srtOptions({
  mode = 'caller',
  streamId,
  passphrase,
  keyBytes,
  latencyMs,
}: UrlOptions): Record<string, string> {
  return {
    mode,
    // Data is passed on unchanged: the thread that needs splice points and losses parses the transport stream.
    raw_packet_size: '65536',
    timeout: String(SILENCE_MS * MICROSECONDS),
    connect_timeout: String(SRT_CONNECT_MS),
    ...(streamId === undefined ? {} : { streamid: streamId }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(keyBytes === undefined ? {} : { pbkeylen: String(keyBytes) }),
    ...(latencyMs === undefined ? {} : { latency: String(latencyMs * MICROSECONDS) }),
  };
}
