/** What to type or fill in, so that an encoder sends to a publish address. */
export interface PublishLines {
  /** A command line for ffmpeg. */
  readonly ffmpeg: string;
  /** The two fields of OBS ("Custom" service); null for an address that is not RTMP. */
  readonly obs: { readonly server: string; readonly key: string } | null;
}

/** A publish address with the password that the encoder must send; as it is without one. */
export function withPassword(url: string, password: string): string {
  return password === '' ? url : `${url}?password=${encodeURIComponent(password)}`;
}

/** What `service.json` in the folder of a profile of OBS holds, so that the profile sends there. */
export function obsServiceFile(obs: { readonly server: string; readonly key: string }): string {
  return JSON.stringify({ type: 'rtmp_custom', settings: { ...obs, bwtest: false, use_auth: false } }, null, 2);
}

/** The lines for one publish address. */
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
