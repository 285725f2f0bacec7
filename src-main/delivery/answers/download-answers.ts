import { basename } from 'node:path';
import { timeInFileName } from '../../lib/clock.ts';
import type { ArchiveSpan } from '../archive-span.ts';
import type { Exchange } from '../exchange.ts';
import { CORS, MEDIA_TYPES, NOSNIFF } from '../headers.ts';
import { errorReply } from '../media-error.ts';
import type { StreamOutput } from '../stream-output.ts';
import type { FileSource } from '../recorded.ts';
import type { AnswersTo } from '../media-answer.ts';
import { carriesToken } from './own-addresses.ts';
import { sendMedia } from './send-media.ts';

/** Media types by file extension. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ...['mp4', 'm4v'].map((end) => [end, MEDIA_TYPES.video] as const),
  ...['ts', 'm2ts', 'mts'].map((end) => [end, MEDIA_TYPES.ts] as const),
  ['mov', 'video/quicktime'],
  ['mkv', 'video/x-matroska'],
  ['webm', 'video/webm'],
]);

/** Answers with files of locations as they are stored, complete or in ranges. */
export function downloadAnswers(files: FileSource | undefined): AnswersTo<'download'> {
  return {
    download: {
      from: 'window',
      proto: 'mp4',
      step: 'opening',
      needs: 'nothing',
      answer(exchange, output) {
        const { name } = output;
        const found = files?.stored(name);
        if (!found) {
          exchange.reply(errorReply('vod_file_not_found', `${name} is no single file`));
          return;
        }
        const type = TYPES.get(/\.([^.]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '') ?? 'application/octet-stream';
        const cached = `Cache-Control: ${carriesToken(exchange) ? 'private, ' : ''}no-cache\r\n`;
        const headers = `Content-Type: ${type}\r\n${cached}${attachment(basename(name))}Accept-Ranges: bytes\r\n${NOSNIFF}${CORS}`;
        sendMedia(exchange, output, { headers, etag: `"${found.version}"` }, [found.media]);
      },
    },
  };
}

/**
 * Header line that makes a browser save a reply (RFC 6266) under a name; empty unless the query requests it
 * (`download=true`).
 */
export function savedAs({ query }: Pick<Exchange, 'query'>, name: string): string {
  return /(?:^|&)download=(?:true|1)(?:&|$)/.test(query) ? attachment(name) : '';
}

/** File name for saving a recorded time, or a complete stream or file: stream, start and length. */
export function fileName(
  { name }: Pick<StreamOutput, 'name'>,
  span: ArchiveSpan | undefined,
  end: 'mp4' | 'ts',
): string {
  const plain = name.replace(new RegExp(`\\.${end}$`), '');
  if (!span) return `${basename(plain)}.${end}`;
  const base = plain.replaceAll('/', '-');
  if (span.kind !== 'range' || span.durationSeconds === Infinity) return `${base}-${span.name}.${end}`;
  const start = timeInFileName(span.fromSeconds * 1000).replace('-000Z', 'Z');
  return `${base}-${start}-${span.durationSeconds}s.${end}`;
}

function attachment(name: string): string {
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `Content-Disposition: attachment; filename*=UTF-8''${encoded}\r\n`;
}
