import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTagNamed } from '../../lib/entity-tag.ts';
import { acceptsGzip } from '../../lib/http-semantics.ts';
import { BytesBody, PACKED_FROM_BYTES } from './cached-body.ts';
import { PiecesBody, TextBody, type Answer } from './endpoint.ts';

const pack = promisify(gzip);

/** Sends the answer of an endpoint, compressed if the client accepts that. */
export async function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  reply.code(answer.status).headers({ 'cache-control': 'no-store', ...answer.headers });
  if (isNotModified(request, answer)) return reply.code(304).send();
  const { body } = answer;
  if (body === undefined) return reply.send();
  if (body instanceof PiecesBody) return sendPieces(request, reply, body);
  if (body instanceof BytesBody) return sendBytes(request, reply, body);
  const { text, contentType } =
    body instanceof TextBody ? body : { text: JSON.stringify(body), contentType: 'application/json; charset=utf-8' };
  reply.type(contentType).header('vary', 'accept-encoding, accept, origin');
  if (text.length < PACKED_FROM_BYTES || !acceptsGzip(request.headers['accept-encoding']?.toString()))
    return reply.send(text);
  return reply.header('content-encoding', 'gzip').send(await pack(text, { level: 4 }));
}

async function sendBytes(request: FastifyRequest, reply: FastifyReply, body: BytesBody): Promise<FastifyReply> {
  reply.type(body.contentType).header('vary', 'accept-encoding, accept, origin');
  if (body.bytes.length < PACKED_FROM_BYTES || !acceptsGzip(request.headers['accept-encoding']?.toString()))
    return reply.send(body.bytes);
  return reply.header('content-encoding', 'gzip').send(await body.packed());
}

/** Whether the client already has the body: `If-None-Match` of a GET or HEAD contains its ETag (RFC 9110 section 13.1.2). */
function isNotModified({ method, headers }: FastifyRequest, { status, headers: { etag } = {} }: Answer): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && status === 200 && etag !== undefined && isTagNamed(headers['if-none-match'], etag);
}

async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  { pieces, contentType }: PiecesBody,
): Promise<FastifyReply> {
  const rest = pieces[Symbol.asyncIterator]();
  // If the first piece already fails, the error is answered like any other error.
  const first = await rest.next();
  const source = Readable.from(joined(first, rest), { objectMode: false });
  reply.type(contentType).header('vary', 'accept-encoding, accept, origin');
  if (!acceptsGzip(request.headers['accept-encoding']?.toString())) return reply.send(source);
  // A later failure ends the reply; the stream that is being sent reports it.
  return reply.header('content-encoding', 'gzip').send(pipeline(source, createGzip({ level: 4 }), () => undefined));
}

async function* joined(
  first: IteratorResult<string, unknown>,
  rest: AsyncIterator<string>,
): AsyncGenerator<string, void> {
  for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value;
}
