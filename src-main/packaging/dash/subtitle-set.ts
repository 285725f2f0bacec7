import type { WindowSubtitles } from '../../segment/segment-window.ts';
import { SUBTITLES_NAME } from '../hls/subtitle-playlist.ts';
import { escapeAttribute } from './escape-attribute.ts';

/** Number of the first AdaptationSet of subtitles. */
const FIRST_SUBTITLE_SET = 2000;

/**
 * AdaptationSet of subtitles: one file with the times of the Period.
 * @param query appended to its address
 */
export function subtitleSet({ id, language, name, media }: WindowSubtitles, query = ''): string[] {
  const lang = language === undefined ? '' : ` lang="${escapeAttribute(language)}"`;
  const address = `${id}/${SUBTITLES_NAME}${query === '' ? '' : `?${escapeAttribute(query)}`}`;
  return [
    `<AdaptationSet id="${FIRST_SUBTITLE_SET + Number(id.slice(1))}" contentType="text" mimeType="text/vtt"${lang}>`,
    '<Role schemeIdUri="urn:mpeg:dash:role:2011" value="subtitle"/>',
    `<Label>${escapeAttribute(name)}</Label>`,
    `<Representation id="${id}" bandwidth="${Math.max(1, Math.ceil(media.sizeBytes / 100))}"><BaseURL>${address}</BaseURL></Representation>`,
    '</AdaptationSet>',
  ];
}
