import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Caller } from '../../operators/caller.ts';
import type { CachedBody } from './cached-body.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import type { QueryParameter } from './query-string.ts';

/** Methods that endpoints have; HEAD and OPTIONS come by themselves. */
type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

/** A request as an endpoint sees it: its method, type, size and sender have been checked. */
export interface EndpointRequest {
  readonly caller: Caller;
  /** Path and query, as sent. */
  readonly url: string;
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: readonly QueryParameter[];
  readonly headers: IncomingHttpHeaders;
  /** JSON as it was parsed, a text for all other types, undefined where no body came. */
  readonly body: unknown;
  /** The body as it comes, where the endpoint takes it so. */
  readonly stream?: ByteStream;
}

/** Bytes as they come. */
export type ByteStream = AsyncIterable<Uint8Array> & { destroy(): unknown };

/** What an endpoint answers; errors are raised as `AirdeskError`. */
export interface Answer {
  readonly status: number;
  /** A value is sent as JSON. None with 204. */
  readonly body?: Json | TextBody | PiecesBody | CachedBody;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body that is text already. */
export class TextBody {
  readonly text: string;
  readonly contentType: string;

  constructor(text: string, contentType: string) {
    this.text = text;
    this.contentType = contentType;
  }
}

/** A body that is made while it is sent, for lists that are too long for one turn. */
export class PiecesBody {
  readonly pieces: AsyncIterable<string>;
  readonly contentType: string;

  constructor(pieces: AsyncIterable<string>, contentType = 'application/json; charset=utf-8') {
    this.pieces = pieces;
    this.contentType = contentType;
  }
}

/** A parameter of the path, the query or the headers. Those of the path need to be named only where their usual words and type do not fit. */
export interface ParameterDoc {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: JsonSchema;
  readonly isRequired?: boolean;
}

/** Statuses of errors that the document describes. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 424 | 429 | 503 | 507;

/** How a body is described: a schema of the contract becomes a JSON Schema when the document is asked for, since few servers are. */
export type BodySchema = JsonSchema | z.ZodType;

/** What an endpoint takes as its body. */
export interface BodyDoc {
  readonly schema: BodySchema;
  /** Media types; `application/json` without it. */
  readonly types?: readonly string[];
  readonly isRequired?: boolean;
  /** Whether the handler takes it as it comes, of any type, and bounds it. */
  readonly isStream?: boolean;
  /** Longest body; 1 MiB without it. */
  readonly limitBytes?: number;
  /** A body as it may be sent, for the document. */
  readonly example?: Json;
}

/** One kind of answer. */
export interface ReplyDoc {
  readonly description: string;
  /** Absent where there is no body. */
  readonly schema?: BodySchema;
  /** Media type of the schema; `application/json` without it. */
  readonly type?: string;
  /** Further media types, with text that no schema describes. */
  readonly otherTypes?: readonly string[];
  /** A body as it may look, for the document. */
  readonly example?: Json;
}

/** What the document of the API says of an endpoint. */
export interface EndpointDoc {
  readonly method: Method;
  /** Below the prefix: `/streams/{name}`. `{name}` is one percent-encoded segment; `{+name}`, at the end, all that are left. */
  readonly path: string;
  /** Unique name, for generated clients: `stream_get`. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly parameters?: readonly ParameterDoc[];
  readonly body?: BodyDoc;
  /** Answers by status, without errors. */
  readonly replies: Readonly<Record<number, ReplyDoc>>;
  /** Statuses of errors beside those that follow from its access, its parameters and its body. */
  readonly errors?: readonly ErrorStatus[];
  /** Access it needs; `probe` and `public` need none. */
  readonly access?: string;
  /** Whether it checks itself which streams its caller may see; other endpoints are closed to tokens with a prefix. */
  readonly isScoped?: boolean;
  /** What it takes instead of a login: a key of a portal in `X-Auth-Token`. */
  readonly security?: 'portal_key';
  /** Whether it may change without notice. */
  readonly isPrivate?: boolean;
  readonly isDeprecated?: boolean;
}

/** One operation of an HTTP API: its path, the access it needs, its input, output and handler. */
export interface Endpoint extends EndpointDoc {
  /** `view`: read access; `operate`: acting on what runs; `edit`: changing the configuration; `probe`: no credentials needed. */
  readonly access: 'probe' | 'view' | 'operate' | 'edit';
  /** Whether it changes something though its method is GET: then it needs a login, or a browser's statement that the request is not cross-site. */
  readonly isAction?: boolean;
  /** Whether its handler checks the names of all query parameters: lists, whose filters are too many to name. */
  readonly readsQuery?: boolean;
  /** At most ten lines, that call a use case of `control`. */
  readonly handle: (request: EndpointRequest) => Answer | Promise<Answer>;
}

/** An API: the endpoints that are served under some prefixes. */
export interface Api {
  /** The first one is the one that the document shows. */
  readonly prefixes: readonly string[];
  readonly endpoints: readonly Endpoint[];
  /** Whether pages of all origins may read it: for players on other sites. */
  readonly isPublic?: boolean;
}

/** Longest body where an endpoint says nothing, in bytes. */
export const BODY_LIMIT_BYTES = 1024 * 1024;
