import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { MediaPlaylist } from '../../media/manifests/hls/media-playlist.ts';
import type { MultivariantPlaylist, Rendition, Variant } from '../../media/manifests/hls/multivariant-playlist.ts';
import type { InputEnd } from '../input.ts';
import type { HlsSettings } from './hls-address.ts';
import { LastingRendition } from './lasting-rendition.ts';
import type { MergeSource } from './rendition-merge.ts';
import { loadMediaPlaylist, loadPlaylist } from './playlist-loader.ts';
import type { LoadedPlaylist } from './playlist-loader.ts';
import { RenditionReader } from './rendition-reader.ts';
import type { RenditionReaderOptions } from './rendition-reader.ts';
import { chooseVariant, type VariantChoice } from './variant-choice.ts';

/** Maximum number of playlists of variants, or of audio renditions, that are tried before the input ends. */
const MAX_TRIED_PLAYLISTS = 10;

export interface PresentationOptions extends Pick<
  RenditionReaderOptions,
  'clock' | 'loader' | 'keys' | 'problem' | 'changed'
> {
  readonly settings: HlsSettings;
  /** Addresses of variants that failed during playback, as in the multivariant playlist. */
  readonly failed?: ReadonlySet<string>;
  /**
   * Called for each version of the playlist of the leading rendition, with the duration in milliseconds of its items that are not
   * opened yet.
   */
  readonly listed: NonNullable<RenditionReaderOptions['listed']>;
}

/** Renditions played together. */
export interface Presentation {
  /** Leading rendition: the one with video, if any. The presentation ends with it. */
  readonly leader: RenditionReader;
  readonly sources: readonly MergeSource[];
  /** Address of its variant in the multivariant playlist; absent without one. */
  readonly variantUri?: string | undefined;
  start(): void;
  /** Closes all renditions; resolves when no request is running any more. */
  close(): Promise<void>;
}

/** Loads the playlist at the address, selects renditions, and prepares to follow them. */
export async function openPresentation(options: PresentationOptions): Promise<Presentation | InputEnd> {
  const { settings, loader, listed } = options;
  const loaded = await loadPlaylist(loader, { url: settings.url });
  if ('code' in loaded) return loaded;
  const { playlist, url } = loaded;
  if (playlist.kind === 'media')
    return singleRendition({
      ...readerOptions(options),
      url: settings.url,
      first: { playlist, url },
      content: 'all',
      listed,
    });
  return chosen(options, { playlist, url });
}

function readerOptions({
  clock,
  loader,
  keys,
  problem,
  changed,
  settings,
}: PresentationOptions): Omit<RenditionReaderOptions, 'url' | 'content'> {
  return { clock, loader, keys, problem, changed, loop: settings.loop };
}

/** Opens the requested variant, or the next one if its playlist cannot be loaded. */
async function chosen(
  options: PresentationOptions,
  { playlist, url }: LoadedPlaylist<MultivariantPlaylist>,
): Promise<Presentation | InputEnd> {
  const { settings, loader, problem, failed } = options;
  let left: MultivariantPlaylist = { ...playlist, variants: playlist.variants.filter(({ uri }) => !failed?.has(uri)) };
  let firstEnd: InputEnd | undefined;
  for (let tries = 0; tries < MAX_TRIED_PLAYLISTS; tries++) {
    const choice = chooseVariant(left, settings.variant, settings.language);
    const uri = choice?.isAudioOnly ? (choice.audio?.uri ?? choice.variant.uri) : choice?.variant.uri;
    const variantUrl = uri === undefined ? null : URL.parse(uri, url.href);
    if (!choice || !variantUrl) break;
    const { audio, variant } = choice;
    const loaded = await loadMediaPlaylist(loader, { url: variantUrl, imports: playlist.variables });
    if ('code' in loaded) {
      firstEnd ??= loaded;
      problem(loaded);
      left = choice.isAudioOnly && audio ? without(left, audio) : without(left, variant);
      continue;
    }
    const ready = await withAudio(options, { playlist: left, url }, choice);
    const opened = openChoice(options, { playlist, url }, { choice: ready, variantUrl, first: loaded });
    return { ...opened, variantUri: variant.uri };
  }
  return (
    firstEnd ?? {
      code: 'hls_no_variant',
      ...because('hls_no_variant', { count: playlist.variants.length }),
    }
  );
}

function without(playlist: MultivariantPlaylist, failed: Variant | Rendition): MultivariantPlaylist {
  return {
    ...playlist,
    // Other variants at the same address fail as well.
    variants: playlist.variants.filter((one) => one !== failed && ('isDefault' in failed || one.uri !== failed.uri)),
    renditions: playlist.renditions.filter((one) => one !== failed),
  };
}

/**
 * Choice with an audio rendition that can be loaded, if its group has one. Otherwise the requested rendition stays in
 * the choice and is tried again while the video plays.
 */
async function withAudio(
  { loader, settings, problem }: PresentationOptions,
  { playlist, url }: LoadedPlaylist<MultivariantPlaylist>,
  choice: VariantChoice,
): Promise<VariantChoice> {
  if (choice.isAudioOnly) return choice;
  let left = { ...playlist, variants: [choice.variant] };
  for (let tries = 0; tries < MAX_TRIED_PLAYLISTS; tries++) {
    const { audio } = chooseVariant(left, settings.variant, settings.language) ?? {};
    const others = left.renditions.filter((one) => one.type === 'AUDIO' && one.groupId === audio?.groupId);
    const audioUrl = audio?.uri === undefined ? null : URL.parse(audio.uri, url.href);
    // A single rendition is loaded by its reader.
    if (!audio || !audioUrl || others.length < 2) return audio && tries > 0 ? { ...choice, audio } : choice;
    const loaded = await loadMediaPlaylist(loader, { url: audioUrl, imports: playlist.variables });
    if (!('code' in loaded)) return { ...choice, audio };
    problem(loaded);
    left = { ...left, renditions: left.renditions.filter((one) => one !== audio) };
  }
  return choice;
}

interface OpenedChoice {
  readonly choice: VariantChoice;
  readonly variantUrl: URL;
  readonly first: LoadedPlaylist<MediaPlaylist>;
}

function openChoice(
  options: PresentationOptions,
  { playlist, url }: LoadedPlaylist<MultivariantPlaylist>,
  { choice, variantUrl, first }: OpenedChoice,
): Presentation {
  const listed = options.listed;
  const { audio } = choice;
  const base = { ...readerOptions(options), imports: playlist.variables };
  const audioUrl = audio?.uri === undefined ? null : URL.parse(audio.uri, url.href);
  if (!audio || !audioUrl) return singleRendition({ ...base, url: variantUrl, first, content: 'all', listed });
  const language = isThreeLetters(audio.language) ? { language: audio.language } : {};
  if (choice.isAudioOnly)
    return singleRendition({ ...base, ...language, url: variantUrl, first, content: 'all', listed });
  const leader = new RenditionReader({ ...base, url: variantUrl, first, content: 'video', listed });
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

function singleRendition(options: RenditionReaderOptions): Presentation {
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

/** Whether a language is an ISO 639-2 code, as tracks need it. */
function isThreeLetters(language: string | undefined): language is string {
  return language !== undefined && /^[a-z]{3}$/.test(language);
}
