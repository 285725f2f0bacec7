import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { isInside } from '../lib/allowed-paths.ts';
import { webVttOf } from './web-vtt.ts';

/** Maximum number of subtitle files of a film. */
const MAX_SUBTITLES = 16;
/** Maximum size of a subtitle file; two hours take about 100 KB. */
const MAX_BYTES = 2 << 20;
/** Part between the film's name and the extension: a language (RFC 5646) and a word or two. */
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;

/** Subtitle file, converted to WebVTT for HLS. */
export interface FileSubtitles {
  /** Name shown to viewers. */
  readonly name: string;
  /** Language tag (RFC 5646), where it is known. */
  readonly language?: string;
  /** Text as WebVTT, in a separate buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reads the subtitle files of a film: `film.vtt`, `film.en.srt` and similar for `film.mp4`; for a folder, files with the name of
 * the folder inside it. Unreadable files are left out.
 *
 * @param path path of the film, SMIL file or folder
 * @param mediaOffsetMs output time at which the presentation starts, in milliseconds
 */
export async function readSubtitles(
  { path, isFolder }: { readonly path: string; readonly isFolder: boolean },
  mediaOffsetMs: number,
): Promise<readonly FileSubtitles[]> {
  const folder = isFolder ? path : dirname(path);
  const name = isFolder ? basename(path) : basename(path, extname(path));
  const names = (await readdir(folder).catch((): string[] => [])).filter(
    (one) => one.startsWith(`${name}.`) && /\.(?:vtt|srt)$/i.test(one),
  );
  const found: FileSubtitles[] = [];
  for (const one of names.sort().slice(0, MAX_SUBTITLES)) {
    const text = await readText(folder, one).catch(() => undefined);
    const webVtt = text === undefined ? undefined : webVttOf(text, mediaOffsetMs);
    if (webVtt === undefined) continue;
    const parts = one
      .slice(name.length + 1, -4)
      .split('.')
      .filter((word) => word !== '');
    const language = parts.find((word) => TAG.test(word));
    found.push({
      name: parts.join(' ') || 'Subtitles',
      ...(language === undefined ? {} : { language }),
      bytes: new TextEncoder().encode(webVtt),
    });
  }
  return found;
}

async function readText(folder: string, name: string): Promise<string | undefined> {
  const path = await realpath(join(folder, name));
  const found = await stat(path);
  // Links must not lead out of the folder.
  if (!isInside(folder, path) || !found.isFile() || found.size > MAX_BYTES) return undefined;
  const bytes = await readFile(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Older files have one byte per character.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
