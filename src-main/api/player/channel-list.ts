import type { StreamEntry } from '../../streams/stream-entry.ts';
import { streamState, type StreamStateContext } from '../../streams/stream-state.ts';

export interface ChannelListOptions {
  /** Base address for players, without a slash at the end. */
  readonly baseUrl: string;
  /** Query of every address, without `?`. It contains the viewer's token. */
  readonly query: string;
  readonly context: StreamStateContext;
}

const DAY_MS = 86_400_000;

/**
 * Streams as a channel list for IPTV players (M3U with the attributes that Kodi's pvr.iptvsimple and TiviMate read), line by
 * line. Players replace `{utc}` by the start of a programme and `{duration}` by its length, both in seconds. Streams without HLS
 * are left out.
 */
export function* channelList(entries: Iterable<StreamEntry>, options: ChannelListOptions): Generator<string, void> {
  yield '#EXTM3U\n';
  for (const entry of [...entries].sort(byPosition)) {
    const { hls } = streamState(entry, options.context).playback;
    if (entry.settings.isDisabled || hls === null || hls === undefined) continue;
    const { name, settings } = entry;
    const title = settings.title ?? name;
    const attributes = [attribute('tvg-id', name), attribute('tvg-name', title)];
    if (settings.provider !== null) attributes.push(attribute('group-title', settings.provider));
    const days = catchupDays(entry, options.context.nowMs);
    if (days > 0) {
      const source = addressOf(hls.replace(/[^/]*$/, 'archive-{utc}-{duration}.m3u8'), options);
      attributes.push(
        'catchup="default"',
        attribute('catchup-source', source),
        attribute('catchup-days', String(days)),
      );
    }
    yield `#EXTINF:-1 ${attributes.join(' ')},${oneLine(title)}\n${addressOf(hls, options)}\n`;
  }
}

/** Compares streams by the operator's order, then by name. */
function byPosition(a: StreamEntry, b: StreamEntry): number {
  const places = (a.settings.position ?? 0) - (b.settings.position ?? 0);
  return places === 0 ? (a.name < b.name ? -1 : 1) : places;
}

/** Number of days from the start of the archive, or its configured length, to now; 0 if nothing is recorded. */
function catchupDays({ archive, settings: { dvr } }: StreamEntry, nowMs: number): number {
  if (!archive) return 0;
  const recordedMs = nowMs - archive.startMs;
  return Math.max(1, Math.ceil(Math.max(recordedMs, dvr?.expirationMs ?? 0) / DAY_MS));
}

function addressOf(path: string, { baseUrl, query }: ChannelListOptions): string {
  return `${baseUrl}${path}${query === '' ? '' : `?${query}`}`;
}

/** Attribute of a list entry. Removes quotation marks, which attributes cannot contain. */
function attribute(name: string, value: string): string {
  return `${name}="${oneLine(value).replaceAll('"', "'")}"`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ');
}
