import { SUBTITLES_NAME } from '../packaging/hls/subtitle-playlist.ts';
import { readSpan, type ArchiveSpan } from './archive-span.ts';

/**
 * Resource of a media address, without the stream name. With a span it belongs to the archive, with an `interstitial` to media
 * that replaces the stream.
 */
export type MediaResource =
  | { readonly kind: WindowForm; readonly span?: ArchiveSpan; readonly interstitial?: string }
  | { readonly kind: 'embed' | 'media-info' | 'info' | 'recording-status' | 'preview' }
  /** Picture of the archive at a time in seconds since 1970: the nearest key frame, or exactly the picture of that time. */
  | { readonly kind: 'recorded-picture'; readonly atSeconds: number; readonly isExact?: boolean }
  /**
   * MP4 of one key frame: of the archive at a time since 1970, of a film at a time since its start, or the newest one.
   */
  | { readonly kind: 'preview-file'; readonly atSeconds?: number; readonly filmSeconds?: number }
  /** Sprite of the archive: small pictures side by side, one per step from a time on. */
  | { readonly kind: 'sprite'; readonly fromSeconds: number; readonly stepSeconds: number }
  /** List of sprites for a time range of the archive. */
  | {
      readonly kind: 'thumbnails';
      readonly form: ThumbnailForm;
      readonly fromSeconds: number;
      readonly durationSeconds: number;
    }
  | {
      readonly kind: 'media-playlist';
      readonly trackId: string;
      readonly span?: ArchiveSpan;
      readonly interstitial?: string;
    }
  | { readonly kind: 'init'; readonly trackId: string; readonly initId: number; readonly addressPrefix: string }
  | { readonly kind: 'segment'; readonly trackId: string; readonly address: string }
  | { readonly kind: 'part'; readonly trackId: string; readonly address: string; readonly index: number }
  | { readonly kind: 'ts-segment'; readonly address: string }
  | { readonly kind: 'subtitle-playlist' | 'subtitles'; readonly id: string }
  /** Unchanged file of a location. */
  | { readonly kind: 'download' }
  /** Format that other servers provide at this address and Airdesk does not support. */
  | { readonly kind: 'unsupported-format'; readonly format: UnsupportedFormat };

/** Forms of a complete window: playlists and manifests, one file, or a list for programs. */
type WindowForm = 'multivariant' | 'ts-playlist' | 'mpd' | 'json-manifest' | 'mpegts' | 'mp4';

/** Formats of other servers that players may request and Airdesk does not support. */
export type UnsupportedFormat = 'smooth' | 'hds' | 'webrtc' | 'shoutcast' | 'logo' | 'images';

/** Format of a thumbnail list: WebVTT, JSON, or an HLS image playlist. */
export type ThumbnailForm = 'vtt' | 'json' | 'm3u8';

/** A media address: a stream and a resource. */
export interface MediaAddress {
  readonly stream: string;
  readonly resource: MediaResource;
  /** Requested track ids (`tracks-v1a1/`); absent for all. */
  readonly tracks?: readonly string[];
}

const FILES: ReadonlyMap<string, MediaResource> = new Map<string, MediaResource>(
  Object.entries({
    'index.m3u8': { kind: 'multivariant' },
    // Some players use another address for low latency.
    'index.ll.m3u8': { kind: 'multivariant' },
    'index.ts.m3u8': { kind: 'ts-playlist' },
    // Older players request one playlist with video and audio together.
    'video.m3u8': { kind: 'ts-playlist' },
    'mono.m3u8': { kind: 'ts-playlist' },
    'index.mpd': { kind: 'mpd' },
    'Manifest.mpd': { kind: 'mpd' },
    'manifest.mpd': { kind: 'mpd' },
    manifest: { kind: 'mpd' },
    'index.json': { kind: 'json-manifest' },
    mpegts: { kind: 'mpegts' },
    'index.ts': { kind: 'mpegts' },
    'index.mp4': { kind: 'mp4' },
    'embed.html': { kind: 'embed' },
    'media_info.json': { kind: 'media-info' },
    'info.json': { kind: 'info' },
    'recording_status.json': { kind: 'recording-status' },
    'preview.jpg': { kind: 'preview' },
    'preview.mp4': { kind: 'preview-file' },
  } satisfies Readonly<Record<string, MediaResource>>),
);

/** First path segments that can never be streams: prefixes of the control APIs, and `-` for the server's own files. */
const RESERVED = new Set(['', '-', 'mediaserver', 'streamer', 'tv-management', 'flussonic']);

/** Kinds of files with the name of a span, by extension. */
const SPAN_FILES: readonly (readonly [end: string, kind: WindowForm])[] = [
  ['.ts.m3u8', 'ts-playlist'],
  ['.m3u8', 'multivariant'],
  ['.mpd', 'mpd'],
  ['.json', 'json-manifest'],
  ['.ts', 'mpegts'],
  ['.mp4', 'mp4'],
];

/** Unsupported formats by file name. */
const UNSUPPORTED: ReadonlyMap<string, UnsupportedFormat> = new Map([
  ['manifest.f4m', 'hds'],
  ['whep', 'webrtc'],
  ['whip', 'webrtc'],
  ['shoutcast', 'shoutcast'],
  ['logo', 'logo'],
]);
const SMOOTH = /\.isml?\/manifest$/i;
const IMAGES = /^(.*)\/images-\d{1,5}x\d{1,5}$/;

const PICTURE = /^(\d{1,10})(?:-preview)?\.jpg$/;
const EXACT_PICTURE = /^(\d{1,10}\.\d{1,3})\.jpg$/;
const PREVIEW_FILE = /^(\d{1,10})-preview\.mp4$/;
const FILM_PREVIEW = /^preview-(\d{1,2})-([0-5]\d)-([0-5]\d)\.mp4$/;
const SPRITE = /^sprite-(\d{1,10})-(\d{1,4})\.jpg$/;
const THUMBNAILS = /^thumbnails-(\d{1,10})-(\d{1,8})\.(vtt|json|m3u8)$/;
const INTERSTITIAL = /^break-([a-z0-9]{1,20})\.m3u8$/;
const SUBTITLES = /^s[1-9]\d?$/;
const TRACK = /^[va][1-9]\d{0,2}$/;
const TRACKS_FOLDER = /^tracks-((?:[va][1-9]\d{0,2}){1,16})$/;
// Media of another origin than the stream itself, for example a clip, has a prefix.
const INIT = /^((?:[a-z0-9]{1,32}-)?)init-(\d{1,9})\.mp4$/;
const CMAF = /^((?:[a-z0-9]{1,32}-)?\d{1,15})(?:\.(\d{1,5}))?\.m4s$/;
const TS = /^((?:[a-z0-9]{1,32}-)?\d{1,15})\.ts$/;

/**
 * Parses the path of a request as a media address.
 *
 * @param path percent-encoded path that starts with `/`
 * @returns undefined if it is no media address, and another handler of the server may answer it
 */
export function readMediaAddress(path: string): MediaAddress | undefined {
  const slash = lastSlash(path, path.length);
  const file = path.slice(slash + 1);
  const unserved = unsupportedAddress(path, file);
  if (unserved) return unserved;
  const before = lastSlash(path, slash);
  const inTrack = before > 0 ? trackResource(path.slice(before + 1, slash), file) : undefined;
  if (inTrack) return address(path.slice(1, before), inTrack);
  const resource = slash > 0 ? (FILES.get(file) ?? patternResource(file)) : undefined;
  return resource && address(path.slice(1, slash), resource);
}

/**
 * Parses the path of a request as the name of a file of a location (`/clips/a%20b.mp4`); undefined if it cannot be one.
 */
export function readFileName(path: string): string | undefined {
  return path.endsWith('/') ? undefined : address(path.slice(1), { kind: 'download' })?.stream;
}

/** Address of a format that other servers provide and Airdesk does not support. */
function unsupportedAddress(path: string, file: string): MediaAddress | undefined {
  const folder = path.slice(1, -file.length - 1);
  if (file.length === 8 && SMOOTH.test(path)) {
    const name = folder.slice(0, folder.lastIndexOf('.'));
    return address(name, { kind: 'unsupported-format', format: 'smooth' });
  }
  const format = UNSUPPORTED.get(file);
  if (format) return address(folder, { kind: 'unsupported-format', format });
  const images = file.endsWith('.jpg') ? IMAGES.exec(folder)?.[1] : undefined;
  return images === undefined ? undefined : address(images, { kind: 'unsupported-format', format: 'images' });
}

/** Parses joined track ids (`v1a1`); undefined if they are invalid. */
export function readTrackIds(text: string): readonly string[] | undefined {
  const [, ids] = TRACKS_FOLDER.exec(`tracks-${text}`) ?? [];
  return ids?.match(/[va]\d+/g) ?? undefined;
}

/** Position of the last slash before `end`; -1 for none. */
function lastSlash(path: string, end: number): number {
  let at = end - 1;
  while (at >= 0 && path.charCodeAt(at) !== 0x2f) at--;
  return at;
}

function trackResource(folder: string, file: string): MediaResource | undefined {
  if (folder === 'ts') {
    const ts = TS.exec(file);
    return ts?.[1] === undefined ? undefined : { kind: 'ts-segment', address: ts[1] };
  }
  if (SUBTITLES.test(folder)) {
    const kind = file === 'index.m3u8' ? 'subtitle-playlist' : file === SUBTITLES_NAME ? 'subtitles' : undefined;
    return kind && { kind, id: folder };
  }
  if (!TRACK.test(folder)) return undefined;
  if (file === 'index.m3u8') return { kind: 'media-playlist', trackId: folder };
  if (file.endsWith('.m3u8')) {
    const [, interstitial] = INTERSTITIAL.exec(file) ?? [];
    if (interstitial !== undefined) return { kind: 'media-playlist', trackId: folder, interstitial };
    const span = readSpan(file.slice(0, -5));
    return span && { kind: 'media-playlist', trackId: folder, span };
  }
  const cmaf = CMAF.exec(file);
  if (cmaf) {
    const [, address = '', index] = cmaf;
    return index === undefined
      ? { kind: 'segment', trackId: folder, address }
      : { kind: 'part', trackId: folder, address, index: Number(index) };
  }
  const init = INIT.exec(file);
  return init ? { kind: 'init', trackId: folder, initId: Number(init[2]), addressPrefix: init[1] ?? '' } : undefined;
}

/** Resource whose file name contains a time or the id of an interstitial. */
function patternResource(file: string): MediaResource | undefined {
  const picture = pictureResource(file);
  if (picture) return picture;
  const [, interstitial] = INTERSTITIAL.exec(file) ?? [];
  if (interstitial !== undefined) return { kind: 'multivariant', interstitial };
  const found = SPAN_FILES.find(([end]) => file.endsWith(end));
  if (!found) return undefined;
  const [end, kind] = found;
  const span = readSpan(file.slice(0, -end.length));
  if (!span || (span.kind === 'rewind' && (kind === 'mpegts' || kind === 'mp4'))) return undefined;
  // Older players request one playlist with video and audio together.
  return { kind: kind === 'multivariant' && span.isMuxed ? 'ts-playlist' : kind, span };
}

function pictureResource(file: string): MediaResource | undefined {
  const picture = PICTURE.exec(file);
  if (picture) return { kind: 'recorded-picture', atSeconds: Number(picture[1]) };
  const exact = EXACT_PICTURE.exec(file);
  if (exact) return { kind: 'recorded-picture', atSeconds: Number(exact[1]), isExact: true };
  const preview = PREVIEW_FILE.exec(file);
  if (preview) return { kind: 'preview-file', atSeconds: Number(preview[1]) };
  const film = FILM_PREVIEW.exec(file);
  if (film)
    return { kind: 'preview-file', filmSeconds: Number(film[1]) * 3600 + Number(film[2]) * 60 + Number(film[3]) };
  const sprite = SPRITE.exec(file);
  if (sprite) return { kind: 'sprite', fromSeconds: Number(sprite[1]), stepSeconds: Number(sprite[2]) };
  const [, from, duration, form] = THUMBNAILS.exec(file) ?? [];
  if (form !== 'vtt' && form !== 'json' && form !== 'm3u8') return undefined;
  return { kind: 'thumbnails', form, fromSeconds: Number(from), durationSeconds: Number(duration) };
}

function address(encodedName: string, resource: MediaResource): MediaAddress | undefined {
  const slash = encodedName.lastIndexOf('/');
  const folder = slash > 0 ? encodedName.slice(slash + 1) : '';
  const tracks = folder.startsWith('tracks-') ? readTrackIds(folder.slice('tracks-'.length)) : undefined;
  const stream = decodedName(tracks ? encodedName.slice(0, slash) : encodedName);
  if (stream === undefined || stream === '') return undefined;
  const firstEnd = stream.indexOf('/');
  return RESERVED.has(firstEnd < 0 ? stream : stream.slice(0, firstEnd))
    ? undefined
    : { stream, resource, ...(tracks ? { tracks } : {}) };
}

function decodedName(encodedName: string): string | undefined {
  if (!encodedName.includes('%')) return encodedName;
  try {
    return decodeURIComponent(encodedName);
  } catch {
    return undefined;
  }
}
