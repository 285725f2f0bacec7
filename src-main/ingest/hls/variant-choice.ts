import type { MultivariantPlaylist, Rendition, Variant } from '../../media/manifests/hls/multivariant-playlist.ts';

/** Variant wanted by the operator. */
export type VariantWish =
  | { readonly kind: 'best' }
  | { readonly kind: 'worst' }
  | { readonly kind: 'size'; readonly width: number; readonly height: number }
  | { readonly kind: 'bitrate'; readonly bitsPerSecond: number };

/** Selection from a multivariant playlist. */
export interface VariantChoice {
  readonly variant: Variant;
  /** Audio rendition with its own playlist; absent if the audio is in the variant, or there is none. */
  readonly audio?: Rendition;
  /** Whether the variant itself carries only audio. */
  readonly isAudioOnly: boolean;
}

/** Supported sample entries at the start of a codec string (RFC 6381). */
const VIDEO_CODECS = /^(avc1|avc3|hvc1|hev1)\./i;
const AUDIO_CODECS = /^(mp4a\.(40|6b|69)|mp3|\.mp3|ac-3|ec-3|opus)/i;
/** Video codecs that are not supported. */
const UNSUPPORTED_VIDEO = /^(av01|vp0?[89]|dvh1|dvhe|dav1|vvc1|vvi1|mp4v|jxs1)/i;

/** Parses the option `variant`. */
export function parseVariantWish(text: string): VariantWish | undefined {
  if (text === 'best' || text === 'worst') return { kind: text };
  const size = /^(\d{1,5})x(\d{1,5})$/i.exec(text);
  if (size) return { kind: 'size', width: Number(size[1]), height: Number(size[2]) };
  if (!/^\d{1,7}$/.test(text) || Number(text) === 0) return undefined;
  return { kind: 'bitrate', bitsPerSecond: Number(text) * 1000 };
}

/**
 * Selects a variant and its audio rendition. Only supported codecs are considered, and audio alone only if no variant
 * has video. A size selects the nearest variant; a bitrate selects the highest variant that does not exceed it,
 * otherwise the lowest one.
 *
 * @returns undefined if no variant is supported
 */
export function chooseVariant(
  playlist: MultivariantPlaylist,
  wish: VariantWish,
  language?: string,
): VariantChoice | undefined {
  const supported = playlist.variants.filter(isSupported);
  const pictures = supported.filter((variant) => !isAudioOnly(variant));
  const variant = wished(pictures.length > 0 ? pictures : supported, wish);
  if (!variant) return undefined;
  const audio = chooseAudio(playlist, variant, language);
  // A rendition that is the variant itself is not loaded twice.
  const isSeparate = audio?.uri !== undefined && audio.uri !== variant.uri;
  return { variant, isAudioOnly: isAudioOnly(variant), ...(isSeparate ? { audio } : {}) };
}

function isSupported({ codecs }: Variant): boolean {
  if (codecs === undefined) return true;
  const [videos, audios] = [
    codecs.filter((codec) => VIDEO_CODECS.test(codec)),
    codecs.filter((codec) => AUDIO_CODECS.test(codec)),
  ];
  const others = codecs.filter((codec) => UNSUPPORTED_VIDEO.test(codec));
  return others.length === 0 && (codecs.length === 0 || videos.length + audios.length > 0);
}

function isAudioOnly({ codecs, width }: Variant): boolean {
  return (
    width === undefined &&
    codecs !== undefined &&
    codecs.length > 0 &&
    !codecs.some((codec) => VIDEO_CODECS.test(codec))
  );
}

function wished(variants: readonly Variant[], wish: VariantWish): Variant | undefined {
  // Among equal variants, the first in the playlist is preferred (RFC 8216bis 4.4.6.2).
  const rising = variants.toSorted((a, b) => a.bandwidth - b.bandwidth);
  const highest = (list: readonly Variant[]): Variant | undefined => {
    const maxBandwidth = list.at(-1)?.bandwidth;
    return list.find((variant) => variant.bandwidth === maxBandwidth);
  };
  switch (wish.kind) {
    case 'best':
      return highest(rising);
    case 'worst':
      return rising[0];
    case 'bitrate':
      return highest(rising.filter((variant) => variant.bandwidth <= wish.bitsPerSecond)) ?? rising[0];
    case 'size': {
      const distance = ({ width = 0, height = 0 }: Variant): number =>
        Math.abs(width - wish.width) + Math.abs(height - wish.height);
      const nearest = Math.min(...rising.map(distance));
      return highest(rising.filter((variant) => distance(variant) === nearest));
    }
  }
}

function chooseAudio(
  playlist: MultivariantPlaylist,
  variant: Variant,
  language: string | undefined,
): Rendition | undefined {
  const group = playlist.renditions.filter((one) => one.type === 'AUDIO' && one.groupId === variant.audioGroup);
  const requested = language === undefined ? undefined : group.find((one) => speaks(one, language));
  return requested ?? group.find((one) => one.isDefault) ?? group.find((one) => one.isAutoselect) ?? group[0];
}

/** Whether a rendition has a language: `de` matches `de-AT` too; the name of the rendition is accepted as well. */
function speaks(rendition: Rendition, language: string): boolean {
  const [requested, has] = [language.toLowerCase(), rendition.language?.toLowerCase() ?? ''];
  return has === requested || has.startsWith(`${requested}-`) || rendition.name.toLowerCase() === requested;
}
