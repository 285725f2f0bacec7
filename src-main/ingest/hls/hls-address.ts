import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { validateHeaderName, validateHeaderValue } from '../../lib/node-http.ts';
import type { InputEnd } from '../input.ts';
import { parseVariantWish } from './variant-choice.ts';
import type { VariantWish } from './variant-choice.ts';

/** Address of an HLS presentation, and options for fetching it. */
export interface HlsSettings {
  /** Address of the playlist with the scheme `http:` or `https:`; its query is sent to the server unchanged. */
  readonly url: URL;
  /** Option `variant`: which variant to play; default `best`. */
  readonly variant: VariantWish;
  /**
   * Option `language`: language of the audio rendition as in the playlist. Default: the rendition that the playlist
   * marks as default.
   */
  readonly language?: string;
  /** Option `loop`: whether a recording restarts at its end; default false. */
  readonly loop: boolean;
  /** Option `insecure`: whether the certificate of this host is accepted without verification; default false. */
  readonly isInsecure?: boolean;
  /** Option `user_agent`; default `Airdesk`. */
  readonly userAgent: string;
  /** Option `headers`: `Name: value`, several with `|` between them. */
  readonly headers: ReadonlyMap<string, string>;
}

const SCHEMES: ReadonlyMap<string, string> = new Map([
  ['hls:', 'http:'],
  ['hlss:', 'https:'],
]);

/** Parses `hls://` and `hlss://` with the options after it. */
export function parseHlsAddress(text: string, options: Readonly<Record<string, string>>): HlsSettings | InputEnd {
  const scheme = /^[a-z]+:/i.exec(text)?.[0].toLowerCase() ?? '';
  const plain = SCHEMES.get(scheme);
  const url = plain === undefined ? null : URL.parse(plain + text.slice(scheme.length));
  if (!url || url.hostname === '') return bad(because('hls_address'));
  const variant = parseVariantWish(options['variant'] ?? 'best');
  if (!variant) return bad(because('hls_variant'));
  const loop = options['loop'] ?? 'false';
  if (loop !== 'true' && loop !== 'false') return bad(because('option_true_false', { option: 'loop' }));
  const insecure = options['insecure'] ?? 'false';
  if (insecure !== 'true' && insecure !== 'false') return bad(because('option_true_false', { option: 'insecure' }));
  const headers = parseHeaders(options['headers'] ?? '');
  if (!headers) return bad(because('hls_headers'));
  const userAgent = options['user_agent'] ?? 'Airdesk';
  if (!isHeader('User-Agent', userAgent)) return bad(because('hls_user_agent'));
  const { language } = options;
  return {
    url,
    variant,
    loop: loop === 'true',

    userAgent,
    headers,
    ...(insecure === 'true' ? { isInsecure: true } : {}),
    ...(language === undefined ? {} : { language }),
  };
}

function parseHeaders(text: string): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>();
  for (const line of text.split('|')) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()];
    if (!isHeader(name, value)) return undefined;
    headers.set(name, value);
  }
  return headers;
}

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function bad(why: Explained): InputEnd {
  return { code: 'bad_input_url', ...why };
}
