import type { MultivariantPlaylist } from '../../media/manifests/hls/multivariant-playlist.ts';
import type { InputEnd } from '../input.ts';
import type { HlsSettings } from './hls-address.ts';
import { LastingRendition } from './lasting-rendition.ts';
import type { MergeSource } from './rendition-merge.ts';
import { loadPlaylist } from './playlist-loader.ts';
import type { LoadedPlaylist } from './playlist-loader.ts';
import { RenditionReader } from './rendition-reader.ts';
import type { RenditionReaderOptions } from './rendition-reader.ts';
import { chooseVariant } from './variant-choice.ts';

/** What a presentation is opened with. */
export interface PresentationOptions extends Pick<
  RenditionReaderOptions,
  'clock' | 'loader' | 'keys' | 'problem' | 'changed'
> {
  readonly settings: HlsSettings;
  /** The playlist of the leading rendition came in; so many milliseconds of media wait, loaded or listed. */
  readonly listed: NonNullable<RenditionReaderOptions['listed']>;
}

/** The renditions that are played together. */
export interface Presentation {
  /** The one with the picture, where there is one: without it nothing goes on. */
  readonly leader: RenditionReader;
  readonly sources: readonly MergeSource[];
  start(): void;
  /** Resolves when nothing of them runs any more. */
  close(): Promise<void>;
}

/** Loads the playlist at the address, chooses what to play of it, and makes ready to follow it. */
export async function openPresentation(options: PresentationOptions): Promise<Presentation | InputEnd> {
  const { settings, loader, listed } = options;
  const loaded = await loadPlaylist(loader, { url: settings.url });
  if ('code' in loaded) return loaded;
  const { playlist, url } = loaded;
  if (playlist.kind === 'media')
    return alone({ ...unitTrackOptions(options), url: settings.url, first: { playlist, url }, content: 'all', listed });
  return chosen(options, { playlist, url });
}

function unitTrackOptions({
  clock,
  loader,
  keys,
  problem,
  changed,
  settings,
}: PresentationOptions): Omit<RenditionReaderOptions, 'url' | 'content'> {
  return { clock, loader, keys, problem, changed, loop: settings.loop };
}

function chosen(
  options: PresentationOptions,
  { playlist, url }: LoadedPlaylist<MultivariantPlaylist>,
): Presentation | InputEnd {
  const { settings, listed } = options;
  const choice = chooseVariant(playlist, settings.variant, settings.language);
  const variantUrl = choice && URL.parse(choice.variant.uri, url.href);
  if (!choice || !variantUrl)
    return {
      code: 'hls_no_variant',
      detail: `None of the ${playlist.variants.length} variants has codecs that Airdesk carries.`,
    };
  const { audio } = choice;
  const base = { ...unitTrackOptions(options), imports: playlist.variables };
  const audioUrl = audio?.uri === undefined ? null : URL.parse(audio.uri, url.href);
  if (!audio || !audioUrl) return alone({ ...base, url: variantUrl, content: 'all', listed });
  const language = isThreeLetters(audio.language) ? { language: audio.language } : {};
  if (choice.isAudioOnly) return alone({ ...base, ...language, url: audioUrl, content: 'all', listed });
  const leader = new RenditionReader({ ...base, url: variantUrl, content: 'video', listed });
  const sound = new LastingRendition({ ...base, ...language, url: audioUrl, content: 'audio' }, leader);
  return {
    leader,
    sources: [leader, sound],
    start: () => {
      leader.start();
      sound.start();
    },
    close: async () => {
      await Promise.all([leader.close(), sound.close()]);
    },
  };
}

function alone(options: RenditionReaderOptions): Presentation {
  const leader = new RenditionReader(options);
  return {
    leader,
    sources: [leader],
    start: () => {
      leader.start();
    },
    close: () => leader.close(),
  };
}

/** Tracks carry languages as ISO 639-2 writes them. */
function isThreeLetters(language: string | undefined): language is string {
  return language !== undefined && /^[a-z]{3}$/.test(language);
}
