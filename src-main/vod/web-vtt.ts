/** Ticks per millisecond of the times in `X-TIMESTAMP-MAP` (RFC 8216bis, 3.1.4). */
const TICKS_PER_MS = 90;
/** Line with the times of an SRT or WebVTT cue. */
const TIMES = /^\s*(\d{1,4}):(\d{2}):(\d{2})[,.](\d{1,3})\s+-->\s+(\d{1,4}):(\d{2}):(\d{2})[,.](\d{1,3})/;

/**
 * Converts WebVTT or SRT text to WebVTT for HLS, with a line that states the media time of time 0. Undefined without cues.
 * @param mediaOffsetMs media time of time 0, in milliseconds
 */
export function webVttOf(text: string, mediaOffsetMs: number): string | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const map = `X-TIMESTAMP-MAP=MPEGTS:${mediaOffsetMs * TICKS_PER_MS},LOCAL:00:00:00.000`;
  if (/^WEBVTT(?:\s|$)/.test(lines[0] ?? '')) {
    if (!lines.some((line) => line.includes('-->'))) return undefined;
    const rest = lines.slice(1).filter((line) => !line.startsWith('X-TIMESTAMP-MAP'));
    return ['WEBVTT', map, ...rest].join('\n');
  }
  let cues = 0;
  const converted = lines.map((line) => {
    const times = TIMES.exec(line);
    if (!times) return line.replaceAll('-->', '→');
    cues++;
    const [, ...parts] = times;
    return `${timeOf(parts.slice(0, 4))} --> ${timeOf(parts.slice(4, 8))}`;
  });
  return cues === 0 ? undefined : ['WEBVTT', map, '', ...converted].join('\n');
}

function timeOf([hours = '', minutes = '', seconds = '', fraction = '']: readonly string[]): string {
  return `${hours.padStart(2, '0')}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
}
