/** Encoder settings for a publish address. */
export interface PublishLines {
  /** Command line for ffmpeg. */
  readonly ffmpeg: string;
  /** Server and stream key of OBS (service "Custom"); null for an address that is not RTMP. */
  readonly obs: { readonly server: string; readonly key: string } | null;
}

/** Adds the password to a publish address; returns the address unchanged without one. */
export function withPassword(url: string, password: string): string {
  return password === '' ? url : `${url}?password=${encodeURIComponent(password)}`;
}

/** Content of `service.json` in an OBS profile folder for this destination. */
export function obsServiceFile(obs: { readonly server: string; readonly key: string }): string {
  return JSON.stringify({ type: 'rtmp_custom', settings: { ...obs, bwtest: false, use_auth: false } }, null, 2);
}

/** Encoder settings for one publish address. */
export function publishLines(url: string): PublishLines {
  const quoted = `"${url.replace(/(["\\$`])/g, '\\$1')}"`;
  const encode = '-c:v libx264 -preset veryfast -tune zerolatency -g 50 -c:a aac';
  if (!/^rtmps?:/i.test(url)) return { ffmpeg: `ffmpeg -re -i input.mp4 ${encode} -f mpegts ${quoted}`, obs: null };
  return { ffmpeg: `ffmpeg -re -i input.mp4 ${encode} -f flv ${quoted}`, obs: splitForObs(url) };
}

function splitForObs(url: string): { server: string; key: string } | null {
  const [, server, key] = /^(rtmps?:\/\/[^/]+\/[^/?]+)\/(.+)$/i.exec(url) ?? [];
  return server !== undefined && key !== undefined ? { server, key } : null;
}
