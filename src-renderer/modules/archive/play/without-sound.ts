const VIDEO = /CODECS="[^"]*\b(avc[13]|hvc1|hev1|av01|vp0[89])\./i;

/**
 * Removes the sound from a multivariant playlist (RFC 8216bis 4.4.6): muted sound is not loaded, and pictures without sound
 * follow the clock of the machine instead of late sound. Unchanged if there are no pictures, or if the segments contain both.
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
