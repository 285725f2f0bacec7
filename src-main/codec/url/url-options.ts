/** How an address is read. Everything is optional that FFmpeg has a good value for. */
export interface UrlOptions {
  /** How RTP comes: inside the RTSP connection, or in datagrams. */
  readonly transport?: 'tcp' | 'udp';
  readonly userAgent?: string;
  /** Over TLS: whether the certificate of the other side is taken as it is. */
  readonly isInsecure?: boolean;
  /** SRT mode: which side calls. */
  readonly mode?: 'caller' | 'listener' | 'rendezvous';
  readonly streamId?: string;
  readonly passphrase?: string;
  /** SRT: length of the AES key in bytes, 16, 24 or 32. */
  readonly keyBytes?: number;
  /** SRT: how late a packet may come, in milliseconds. */
  readonly latencyMs?: number;
}

/** Kinds of addresses that a codec process reads. */
export type UrlKind = 'rtsp' | 'rtmp' | 'srt' | 'file' | 'sdp';

/** Without a byte for this long a connection is over. */
export const SILENCE_MS = 20_000;
/** An SRT caller without an answer for this long found no listener; a refusal comes at once. */
export const SRT_CONNECT_MS = 5000;
const MICROSECONDS = 1000;
/** Asked of the system for datagrams. */
const RECEIVE_BYTES = 4 << 20;

/** Containers that are opened as files: nothing that names other files or addresses. */
const FILE_FORMATS =
  'matroska,webm,avi,flv,asf,mpeg,mpegvideo,mxf,gxf,nut,ogg,wav,w64,aiff,mp3,aac,ac3,eac3,h264,hevc,mov,mp4,m4a,3gp,3g2,mj2,mpegts,live_flv,flac,caf,rm,wtv,dv';

/** Whether an address is one of those that check a certificate. */
export function isOverTls(url: string): boolean {
  return /^(rtsps|rtmps):/i.test(url);
}

/** The options of FFmpeg for an address. @param caFile certificates that are trusted; the other side must show one of them where it is given */
export function ffmpegOptions(kind: UrlKind, options: UrlOptions, caFile?: string): Record<string, string> {
  // What the other side sends to is read by these protocols or not at all.
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
    // What comes is handed on as it is: the transport stream is read where its splice points and its losses are wanted.
    raw_packet_size: '65536',
    timeout: String(SILENCE_MS * MICROSECONDS),
    connect_timeout: String(SRT_CONNECT_MS),
    ...(streamId === undefined ? {} : { streamid: streamId }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(keyBytes === undefined ? {} : { pbkeylen: String(keyBytes) }),
    ...(latencyMs === undefined ? {} : { latency: String(latencyMs * MICROSECONDS) }),
  };
}
