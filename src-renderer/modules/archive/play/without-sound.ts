const VIDEO = /CODECS="[^"]*\b(avc[13]|hvc1|hev1|av01|vp0[89])\./i;

/**
 * A multivariant playlist without its sound (RFC 8216bis 4.4.6): what is not heard is not fetched, and pictures that play alone run by the clock of the machine,
 * not by that of a sound that comes late. The same where there are no pictures, or where sound is in the same segments.
 */
export function withoutSound(text: string): string {
  const variants = text.split('\n').filter((line) => line.startsWith('#EXT-X-STREAM-INF:'));
  if (variants.length === 0 || !variants.every((line) => VIDEO.test(line) && /,AUDIO="/.test(line))) return text;
  return text
    .split('\n')
    .filter((line) => !/^#EXT-X-MEDIA:(?=.*TYPE=AUDIO)/.test(line))
    .map((line) => (line.startsWith('#EXT-X-STREAM-INF:') ? pictureOf(line) : line))
    .join('\n');
}

function pictureOf(variant: string): string {
  return variant.replace(/,AUDIO="[^"]*"/, '').replace(/CODECS="([^"]*)"/, (_, codecs: string) => {
    const video = codecs.split(',').filter((codec) => VIDEO.test(`CODECS="${codec.trim()}"`));
    return `CODECS="${video.join(',')}"`;
  });
}
