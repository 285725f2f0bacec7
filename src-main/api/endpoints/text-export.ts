import { badParameter } from '../../../src-preload/contract/errors.ts';
import { PiecesBody, type Answer, type EndpointRequest, type ReplyDoc } from './endpoint.ts';
import { inQuery } from './parameters.ts';
import { parameter } from './query-flag.ts';

/** Format of an export: JSON Lines, or CSV with a header line. */
export type ExportFormat = 'jsonl' | 'csv';

export const FORMAT = inQuery('format', 'jsonl or csv; default jsonl', { type: 'string', enum: ['jsonl', 'csv'] });

/** Format of an export. Raises `bad_query`. */
export function formatOf(request: EndpointRequest): ExportFormat {
  const format = parameter(request, 'format') ?? 'jsonl';
  if (format === 'jsonl' || format === 'csv') return format;
  throw badParameter('format', 'format must be jsonl or csv');
}

export function exportReply(description: string): ReplyDoc {
  return { description, type: 'application/x-ndjson', schema: { type: 'string' }, otherTypes: ['text/csv'] };
}

/** Answer with an export that is sent while it is created. @param name name of the file that a browser saves */
export function exportAnswer(format: ExportFormat, pieces: AsyncIterable<string>, name?: string): Answer {
  const body = new PiecesBody(pieces, format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson');
  const headers = name === undefined ? {} : { 'content-disposition': `attachment; filename="${name}"` };
  return { status: 200, headers, body };
}
