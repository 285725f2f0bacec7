import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { CONTENT_TYPES } from '../lib/content-types.ts';
import { contentPolicy } from './content-policy.ts';

/** HTTP headers of all files and pages of the scheme `airdesk:`. */
export function deskHeaders(contentType: string, serverUrl?: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-security-policy': contentPolicy(serverUrl),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  };
}

/**
 * Path of a file of the build for an address of the desk; undefined if it is outside the folder or of an unknown type.
 */
export function deskFile(url: string, folder: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(new URL(url).pathname);
  } catch {
    return undefined;
  }
  if (path.includes('\0') || path.includes('\\')) return undefined;
  const file = normalize(join(folder, path === '/' || path === '' ? 'index.html' : path));
  return file.startsWith(folder + sep) && extname(file) in CONTENT_TYPES ? file : undefined;
}

/** Answers a request of the window for a file of the desk. */
export async function answerDeskFile(url: string, folder: string, serverUrl?: string): Promise<Response> {
  const file = deskFile(url, folder);
  const body = file === undefined ? undefined : await readFile(file).catch(() => undefined);
  if (file === undefined || !body)
    return new Response('not found', { status: 404, headers: deskHeaders('text/plain') });
  return new Response(new Uint8Array(body), {
    headers: deskHeaders(CONTENT_TYPES[extname(file)] ?? 'text/plain', serverUrl),
  });
}
