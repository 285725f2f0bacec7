import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import { readerView } from '../../operators/reader-view.ts';
import { runInTurns } from '../../lib/turns.ts';
import type { Caller } from '../../operators/caller.ts';
import {
  BODY_LIMIT_BYTES,
  PiecesBody,
  TextBody,
  type Answer,
  type Api,
  type ByteStream,
  type Endpoint,
} from './endpoint.ts';
import { readQueryString } from './query-string.ts';
import { readRequestBody } from './request-body.ts';
import { corsHeaders } from '../cors.ts';
import { sendAnswer } from './send-answer.ts';

/** Identifies the caller of a request and raises what forbids it. */
export type Authorize = (request: FastifyRequest, access: Endpoint['access']) => Caller;

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const;

/** Adds an API to the server: its endpoints under all prefixes, the refusal of other methods, and what browsers ask beforehand. */
export async function addEndpoints(app: FastifyInstance, api: Api, authorize: Authorize): Promise<void> {
  const byPath = Map.groupBy(api.endpoints, ({ path }) => routePath(path));
  await app.register((scope, _options, done) => {
    // Each endpoint says which types it takes; until then a body is bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, parsed) => {
      parsed(null, bytes);
    });
    if (api.isPublic) {
      scope.addHook('onRequest', (_request, reply, next) => {
        reply.headers(corsHeaders('*'));
        next();
      });
    }
    for (const prefix of api.prefixes) {
      for (const [path, endpoints] of byPath) addPath(scope, prefix + path, endpoints, authorize);
    }
    done();
  });
}

function addPath(scope: FastifyInstance, url: string, endpoints: readonly Endpoint[], authorize: Authorize): void {
  const taken: readonly string[] = endpoints.map(({ method }) => method);
  // A HEAD request has no effect.
  const hasHead = endpoints.some(({ method, access, isAction }) => method === 'GET' && access !== 'edit' && !isAction);
  const allow = [...taken, ...(hasHead ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  for (const endpoint of endpoints) {
    const add = (own: FastifyInstance): void => {
      own.route({
        method: endpoint.method,
        url,
        exposeHeadRoute: hasHead,
        config: { access: endpoint.access, isAction: endpoint.isAction === true, isScoped: endpoint.isScoped === true },
        bodyLimit: endpoint.body?.limitBytes ?? BODY_LIMIT_BYTES,
        handler: (request, reply) => answer(endpoint, request, reply, authorize),
      });
    };
    if (endpoint.body?.isStream) addWithStream(scope, add);
    else add(scope);
  }
  scope.route({ method: 'OPTIONS', url, handler: (_request, reply) => reply.code(200).header('allow', allow).send() });
  scope.route({
    method: [...METHODS.filter((method) => !taken.includes(method)), ...(hasHead ? [] : ['HEAD'])],
    url,
    exposeHeadRoute: false,
    config: { access: 'view' },
    handler: (request, reply) => {
      reply.header('allow', allow);
      throw new AirdeskError('method_not_allowed', `${request.method} is not taken here; these are: ${allow}`);
    },
  });
}

/** Adds a route whose body is not read before its handler is called. */
function addWithStream(scope: FastifyInstance, add: (own: FastifyInstance) => void): void {
  void scope.register((own, _options, done) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', (_request, _body, parsed) => {
      parsed(null);
    });
    // What is still sent of a body that was refused is not wanted, and the sender reads the answer all the same.
    own.addHook('onError', (request, _reply, _error, next) => {
      request.raw.resume();
      next();
    });
    add(own);
    done();
  });
}

async function answer(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  authorize: Authorize,
): Promise<FastifyReply> {
  const caller = authorize(request, endpoint.access);
  const body =
    endpoint.body && !endpoint.body.isStream
      ? await runInTurns(
          readRequestBody(request.body as Uint8Array | undefined, request.headers['content-type'], endpoint.body),
        )
      : undefined;
  const params = pathParameters(endpoint.path, request.params as Readonly<Record<string, string>>);
  const { url, headers } = request;
  requireKnownValidate(endpoint, url);
  const read = { caller, url, params, query: readQueryString(url), headers, body };
  const given = await endpoint.handle(endpoint.body?.isStream ? { ...read, stream: streamOf(request.raw) } : read);
  return sendAnswer(request, reply, mustBeCut(endpoint, caller) ? readersAnswer(endpoint, given) : given);
}

/** The body of a request as it comes. A handler that leaves off ends neither the request nor its answer. */
function streamOf(raw: IncomingMessage): ByteStream {
  return {
    [Symbol.asyncIterator]: () => raw.iterator({ destroyOnReturn: false }),
    destroy: () => raw.destroy(),
  };
}

/** A dry run must never turn out to be the write itself: what cannot be tried refuses it. */
function requireKnownValidate({ method, parameters = [] }: Endpoint, url: string): void {
  if (method === 'GET' || !url.includes('validate') || parameters.some(({ name }) => name === 'validate')) return;
  if (readQueryString(url).some(({ name }) => name === 'validate'))
    throw new AirdeskError('bad_request', 'This request cannot be tried without effect', { parameter: 'validate' });
}

/** A public answer is the same for every caller. */
function mustBeCut({ access }: Endpoint, { mayWrite }: Caller): boolean {
  return access !== 'probe' && !mayWrite;
}

/** An answer for callers that may not write. Handlers that answer with text have reduced it already. */
function readersAnswer({ tag }: Endpoint, answer: Answer): Answer {
  const { body } = answer;
  if (body === undefined || body instanceof TextBody || body instanceof PiecesBody) return answer;
  return { ...answer, body: readerView(body, tag) };
}

/** `/streams/{name}` as the router writes it. */
function routePath(path: string): string {
  return path.replace(/\{\+\w+\}$/, '*').replace(/\{(\w+)\}/g, ':$1');
}

function pathParameters(path: string, params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const rest = /\{\+(\w+)\}$/.exec(path)?.[1];
  return rest === undefined ? params : { ...params, [rest]: params['*'] ?? '' };
}
