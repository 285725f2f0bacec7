import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Decipheriv } from 'node:crypto';
import type { BackOff } from '../../lib/back-off.ts';
import type { PlaylistByteRange } from '../../media/manifests/hls/byte-range.ts';
import type { InitSection } from '../../media/manifests/hls/media-playlist.ts';
import { ivOfSequenceNumber } from '../../media/manifests/hls/segment-key.ts';
import type { SegmentKey } from '../../media/manifests/hls/segment-key.ts';
import type { InputEnd } from '../input.ts';
import type { HttpLoader } from './http-loader.ts';
import type { KeyStore } from './key-store.ts';
import { usableKey } from './key-store.ts';
import { MAX_INIT_BYTES, MAX_SEGMENT_BYTES, SEGMENT_ATTEMPTS, SMALL_DEADLINE_MS } from './limits.ts';
import type { MediaItem } from './media-item.ts';

/** Loaded segment or part, with its init section. */
export interface LoadedItem {
  readonly item: MediaItem;
  readonly bytes: Buffer;
  /** Init section; the same object while the section does not change. */
  readonly init?: Buffer;
}

export interface ItemLoaderOptions {
  readonly loader: HttpLoader;
  readonly keys: KeyStore;
  /** Pauses between attempts. */
  readonly backOff: BackOff;
  /** Waits; resolves at once when the input is closed. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly isClosed: () => boolean;
}

/** Minimum time limit for one segment, in milliseconds. */
const MIN_DEADLINE_MS = 10_000;
/**
 * Maximum loading time of a segment as a multiple of its duration. A link that needs longer is too slow for the
 * media.
 */
const MAX_DURATIONS = 3;

/** Loads and decrypts segments, parts and init sections, with a few attempts each. */
export class ItemLoader {
  readonly #options: ItemLoaderOptions;
  #initName = '';
  #init: Buffer | undefined;

  constructor(options: ItemLoaderOptions) {
    this.#options = options;
  }

  /** Loads an item; returns the reason if all attempts failed. */
  async load(item: MediaItem, base: URL): Promise<LoadedItem | InputEnd> {
    const { backOff, sleep, isClosed } = this.#options;
    backOff.reset();
    for (let attempt = 1; ; attempt++) {
      const result = await this.#attempt(item, base);
      if (
        !('code' in result) ||
        result.code === 'hls_encryption_unsupported' ||
        attempt >= SEGMENT_ATTEMPTS ||
        isClosed()
      )
        return result;
      await sleep(backOff.next());
    }
  }

  async #attempt(item: MediaItem, base: URL): Promise<LoadedItem | InputEnd> {
    const init = item.map ? await this.#loadInit(item.map, base) : undefined;
    if (init && 'code' in init) return init;
    const url = URL.parse(item.uri ?? '', base.href);
    if (!url) return { code: 'hls_bad_playlist', ...because('hls_segment_address', { number: item.msn }) };
    const deadlineMs = Math.max(MIN_DEADLINE_MS, MAX_DURATIONS * item.durationMs);
    const bytes = await this.#fetch(
      {
        url,
        range: item.range,
        keys: item.keys,
        iv: ivOfSequenceNumber(item.msn),
        maxBytes: MAX_SEGMENT_BYTES,
        deadlineMs,
      },
      base,
    );
    if ('code' in bytes) return bytes;
    return { item, bytes, ...(init ? { init } : {}) };
  }

  async #loadInit(map: InitSection, base: URL): Promise<Buffer | InputEnd> {
    const url = URL.parse(map.uri, base.href);
    if (!url) return { code: 'hls_bad_playlist', ...because('hls_init_address') };
    const name = `${url.href} ${map.range?.offsetBytes ?? ''} ${map.range?.lengthBytes ?? ''}`;
    if (this.#init && name === this.#initName) return this.#init;
    // An init section without its own IV cannot be decrypted by the standard (RFC 8216bis 4.4.4.5). Zeros are a
    // guess.
    const bytes = await this.#fetch(
      {
        url,
        range: map.range,
        keys: map.keys,
        iv: ivOfSequenceNumber(0),
        maxBytes: MAX_INIT_BYTES,
        deadlineMs: SMALL_DEADLINE_MS,
      },
      base,
    );
    if ('code' in bytes) return bytes;
    this.#initName = name;
    this.#init = bytes;
    return bytes;
  }

  async #fetch(request: ItemRequest, base: URL): Promise<Buffer | InputEnd> {
    const { loader } = this.#options;
    const { url, range, maxBytes, deadlineMs } = request;
    if (range && range.lengthBytes > maxBytes)
      return { code: 'hls_segment_too_large', ...because('hls_too_large', { path: url.pathname, bytes: maxBytes }) };
    const key = usableKey(request.keys);
    if (key && 'code' in key) return key;
    const keyUrl = key ? URL.parse(key.uri ?? '', base.href) : undefined;
    let decipher: Decipheriv | undefined;
    if (key) {
      if (!keyUrl) return { code: 'hls_key_unavailable', ...because('hls_key_address') };
      const created = await this.#options.keys.decipher(keyUrl, key.iv ?? request.iv);
      if ('code' in created) return created;
      decipher = created;
    }
    const result = await loader.load({
      url,
      maxBytes,
      deadlineMs,
      ...(range ? { range } : {}),
      ...(decipher ? { decipher } : {}),
    });
    if (!('failure' in result)) return result.bytes;
    if (result.failure.code === 'hls_key_unavailable' && keyUrl) this.#options.keys.forget(keyUrl);
    return result.failure;
  }
}

interface ItemRequest {
  readonly url: URL;
  readonly range: PlaylistByteRange | undefined;
  readonly keys: readonly SegmentKey[];
  readonly iv: Uint8Array;
  readonly maxBytes: number;
  readonly deadlineMs: number;
}
