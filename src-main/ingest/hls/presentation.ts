import { BackOff } from '../../lib/back-off.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FormatProblem } from '../../media/access-unit.ts';
import type { MediaPlaylist } from '../../media/manifests/hls/media-playlist.ts';
import type { MultivariantPlaylist } from '../../media/manifests/hls/multivariant-playlist.ts';
import type { InputEnd } from '../input.ts';
import type { HlsSettings } from './hls-address.ts';
import type { HttpLoader } from './http-loader.ts';
import type { KeyStore } from './key-store.ts';
import type { RenditionEntry, RenditionUnit } from './rendition-queue.ts';
import type { MergeSource } from './rendition-merge.ts';
import { loadPlaylist } from './playlist-loader.ts';
import type { LoadedPlaylist } from './playlist-loader.ts';
import { RenditionReader } from './rendition-reader.ts';
import type { RenditionReaderOptions } from './rendition-reader.ts';
import { chooseVariant } from './variant-choice.ts';
import { Wakeable } from './wakeable.ts';

/** What a presentation is opened with. */
export interface PresentationOptions {
  readonly clock: Clock;
  readonly settings: HlsSettings;
  readonly loader: HttpLoader;
  readonly keys: KeyStore;
  readonly problem: (problem: FormatProblem) => void;
  readonly changed: () => void;
  readonly listed: (playlist: MediaPlaylist, aheadMs: number) => void;
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

/** A rendition beside the leading one: when it fails it is opened again, and the leading one goes on meanwhile. */
class LastingRendition implements MergeSource {
  readonly #options: RenditionReaderOptions;
  readonly #leader: RenditionReader;
  readonly #pause: Wakeable;
  readonly #backOff = new BackOff({ firstMs: 1000, maxMs: 10_000 });
  #rendition: RenditionReader;
  #isReopening = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RenditionReaderOptions, leader: RenditionReader) {
    this.#leader = leader;
    this.#pause = new Wakeable(options.clock);
    this.#options = { ...options, wish: () => leader.started };
    this.#rendition = new RenditionReader(this.#options);
  }

  get isWrapping(): boolean {
    return this.#rendition.isWrapping;
  }

  get isDone(): boolean {
    return this.#rendition.isDone && !this.#isReopening;
  }

  start(): void {
    this.#rendition.start();
  }

  head(): RenditionEntry | undefined {
    const entry = this.#rendition.head();
    if (entry) this.#backOff.reset();
    else if (this.#rendition.isDone && this.#rendition.end?.code !== 'input_ended' && !this.#isReopening)
      this.#reopen();
    return entry;
  }

  firsts(era: number): readonly RenditionUnit[] {
    return this.#rendition.firsts(era);
  }

  shift(): void {
    this.#rendition.shift();
  }

  async close(): Promise<void> {
    this.#pause.close();
    await this.#rendition.close();
    await this.#running;
  }

  #reopen(): void {
    const { end } = this.#rendition;
    if (end) this.#options.problem({ code: end.code, detail: `The audio rendition is missing. ${end.detail}` });
    this.#isReopening = true;
    this.#running = this.#openAgain();
  }

  async #openAgain(): Promise<void> {
    await this.#pause.sleep(this.#backOff.next());
    if (this.#pause.isClosed) return;
    // Where it began before has long passed: it begins near the live edge, in the run of times of its leader.
    const { wish: _wish, ...options } = this.#options;
    this.#rendition = new RenditionReader({ ...options, firstEra: () => this.#leader.era });
    this.#isReopening = false;
    this.#rendition.start();
  }
}
