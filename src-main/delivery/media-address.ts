/** What a media address asks for, without the stream name. */
export type MediaResource =
  | { readonly kind: 'multivariant' | 'ts-playlist' | 'mpd' | 'mpegts' | 'embed' | 'media-info' | 'info' | 'preview' }
  | { readonly kind: 'media-playlist'; readonly trackId: string }
  | { readonly kind: 'init'; readonly trackId: string; readonly initId: number }
  | { readonly kind: 'segment'; readonly trackId: string; readonly startMs: number }
  | { readonly kind: 'part'; readonly trackId: string; readonly startMs: number; readonly index: number }
  | { readonly kind: 'ts-segment'; readonly startMs: number };

/** A media address: a stream and what is wanted of it. */
export interface MediaAddress {
  readonly stream: string;
  readonly resource: MediaResource;
}

const FILES: Readonly<Record<string, MediaResource>> = {
  'index.m3u8': { kind: 'multivariant' },
  'index.ts.m3u8': { kind: 'ts-playlist' },
  'index.mpd': { kind: 'mpd' },
  'Manifest.mpd': { kind: 'mpd' },
  mpegts: { kind: 'mpegts' },
  'embed.html': { kind: 'embed' },
  'media_info.json': { kind: 'media-info' },
  'info.json': { kind: 'info' },
  'preview.jpg': { kind: 'preview' },
};

/** First path segments that can never be streams: prefixes of the control APIs, and `-` for the server's own files. */
const RESERVED = new Set(['', '-', 'mediaserver', 'streamer', 'tv-management', 'flussonic']);

const TRACK = /^[va][1-9]\d{0,2}$/;
const INIT = /^init-(\d{1,9})\.mp4$/;
const CMAF = /^(\d{1,15})(?:\.(\d{1,5}))?\.m4s$/;
const TS = /^(\d{1,15})\.ts$/;

/**
 * Reads the path of a request as a media address.
 *
 * @param path percent-encoded path that starts with `/`
 * @returns undefined when it is none: another handler of the server may know it
 */
export function readMediaAddress(path: string): MediaAddress | undefined {
  const slash = path.lastIndexOf('/');
  const file = path.slice(slash + 1);
  const before = path.lastIndexOf('/', slash - 1);
  const folder = path.slice(before + 1, slash);
  const inTrack = before > 0 ? trackResource(folder, file) : undefined;
  if (inTrack) return address(path.slice(1, before), inTrack);
  const resource = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
  return resource && slash > 0 ? address(path.slice(1, slash), resource) : undefined;
}

function trackResource(folder: string, file: string): MediaResource | undefined {
  if (folder === 'ts') {
    const ts = TS.exec(file);
    return ts ? { kind: 'ts-segment', startMs: Number(ts[1]) } : undefined;
  }
  if (!TRACK.test(folder)) return undefined;
  if (file === 'index.m3u8') return { kind: 'media-playlist', trackId: folder };
  const cmaf = CMAF.exec(file);
  if (cmaf) {
    const startMs = Number(cmaf[1]);
    return cmaf[2] === undefined
      ? { kind: 'segment', trackId: folder, startMs }
      : { kind: 'part', trackId: folder, startMs, index: Number(cmaf[2]) };
  }
  const init = INIT.exec(file);
  return init ? { kind: 'init', trackId: folder, initId: Number(init[1]) } : undefined;
}

function address(encodedName: string, resource: MediaResource): MediaAddress | undefined {
  const stream = decodedName(encodedName);
  if (stream === undefined) return undefined;
  const firstEnd = stream.indexOf('/');
  return RESERVED.has(firstEnd < 0 ? stream : stream.slice(0, firstEnd)) ? undefined : { stream, resource };
}

function decodedName(encodedName: string): string | undefined {
  if (!encodedName.includes('%')) return encodedName;
  try {
    return decodeURIComponent(encodedName);
  } catch {
    return undefined;
  }
}
