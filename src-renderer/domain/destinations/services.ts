/** Services that streams are sent to by RTMP. `other` is any server. */
export const SERVICES = ['youtube', 'twitch', 'facebook', 'kick', 'other'] as const;
export type Service = (typeof SERVICES)[number];

/** Server addresses as the services publish them; operators may use another one, such as one nearby. */
export const SERVERS: Readonly<Record<Service, string>> = {
  youtube: 'rtmps://a.rtmps.youtube.com/live2',
  twitch: 'rtmps://ingest.global-contribute.live-video.net/app',
  facebook: 'rtmps://live-api-s.facebook.com:443/rtmp',
  kick: 'rtmps://fa723fc1b171.global-contribute.live-video.net/app',
  other: '',
};

/** Whether a text is the address of an RTMP server with an application, of a web server, or of a receiver with a port. */
export function isServer(text: string): boolean {
  return /^(?:rtmps?:\/\/[^\s/]+\/+[^\s/]|(?:tshttp|hls)s?:\/\/[^\s/]|(?:udp|rtp):\/\/[^\s/]+:\d+)/i.test(text.trim());
}

/** Protocol of an address: `udp` also for RTP, `http` for MPEG-TS and HLS by HTTP, `rtmp` for all others. */
export function protocolOf(address: string): 'rtmp' | 'http' | 'udp' {
  const text = address.trim();
  return /^(?:udp|rtp):/i.test(text) ? 'udp' : /^(?:tshttp|hls)s?:/i.test(text) ? 'http' : 'rtmp';
}

/** Address of a destination: the key is its last part. */
export function destinationOf(server: string, key: string): string {
  const [address, part] = [server.trim(), key.trim()];
  // By HTTP, a `/` at the end has a meaning.
  if (part === '' && !/^rtmp/i.test(address)) return address;
  const base = address.replace(/\/+$/, '');
  return part === '' ? base : `${base}/${part}`;
}

/** Service of an address, by its host; `other` for an unknown one. */
export function serviceOf(url: string): Service {
  const host = hostOf(url);
  return SERVICES.find((service) => hostOf(SERVERS[service]) === host && host !== '') ?? 'other';
}

function hostOf(url: string): string {
  return /^rtmps?:\/\/([^/:]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';
}
