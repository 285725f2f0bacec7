import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { ErrorStatus } from '../../../src-preload/contract/operations/operation.ts';
import type { Caller } from '../../operators/caller.ts';
import type { BytesBody } from './cached-body.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import type { QueryParameter } from './query-string.ts';

/** Methods of endpoints. HEAD and OPTIONS are added automatically. */
type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

/** Request that an endpoint gets after its method, type, size and sender have been checked. */
export interface EndpointRequest {
  readonly caller: Caller;
  /** Path and query as received. */
  readonly url: string;
  /** Decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: readonly QueryParameter[];
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON; a string for all other types; undefined without a body. */
  readonly body: unknown;
  /** Body as it arrives, if the endpoint reads it itself. */
  readonly stream?: ByteStream;
  /** Creates a signal that is aborted when the caller has closed the connection. */
  readonly left?: () => AbortSignal;
}

/** Bytes as they arrive. */
export type ByteStream = AsyncIterable<Uint8Array> & { destroy(): unknown };

/** Answer of an endpoint; errors are raised as `AirdeskError`. */
export interface Answer {
  readonly status: number;
  /** Body; a value is sent as JSON. Absent with 204. */
  readonly body?: Json | TextBody | PiecesBody | BytesBody;
  readonly headers?: Readonly<Record<string, string>>;
}

export class TextBody {
  readonly text: string;
  readonly contentType: string;

  constructor(text: string, contentType: string) {
    this.text = text;
    this.contentType = contentType;
  }
}

/** Body that is created while it is sent, for lists that take too long for one turn. */
export class PiecesBody {
  readonly pieces: AsyncIterable<string>;
  readonly contentType: string;

  constructor(pieces: AsyncIterable<string>, contentType = 'application/json; charset=utf-8') {
    this.pieces = pieces;
    this.contentType = contentType;
  }
}

/**
 * Parameter of the path, the query or the headers. Path parameters are declared only if their description or type differs from
 * the default.
 */
export interface ParameterDoc {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: JsonSchema;
  readonly isRequired?: boolean;
}

/**
 * Schema of a body. A schema of the contract is converted to a JSON Schema only when the document is requested, which happens
 * on few servers.
 */
export type BodySchema = JsonSchema | z.ZodType;

/** Body that an endpoint accepts. */
export interface BodyDoc {
  readonly schema: BodySchema;
  /** Media types; default `application/json`. */
  readonly types?: readonly string[];
  readonly isRequired?: boolean;
  /** Whether the handler reads the body as it arrives, of any type, and limits it itself. */
  readonly isStream?: boolean;
  /** Maximum size in bytes; default 1 MiB. */
  readonly limitBytes?: number;
  /** Example for the document. */
  readonly example?: Json;
}

export interface ReplyDoc {
  readonly description: string;
  /** Schema of the body; absent if there is no body. */
  readonly schema?: BodySchema;
  /** Media type of the schema; default `application/json`. */
  readonly type?: string;
  /** Further media types, with text that no schema describes. */
  readonly otherTypes?: readonly string[];
  /** Example for the document. */
  readonly example?: Json;
}

/** Description of an endpoint in the document of the API. */
export interface EndpointDoc {
  readonly method: Method;
  /**
   * Path below the prefix: `/streams/{name}`. `{name}` is one percent-encoded segment; `{+name}`, at the end, is all remaining
   * segments.
   */
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
  /** Error statuses besides those that follow from its access, parameters and body. */
  readonly errors?: readonly ErrorStatus[];
  /** Access that the endpoint requires; `probe` and `public` need none. */
  readonly access?: string;
  /** Whether the endpoint limits its answer to the caller's streams. Other endpoints refuse tokens with a prefix. */
  readonly isScoped?: boolean;
  /** Authentication in place of a login: a portal key in `X-Auth-Token`. */
  readonly security?: 'portal_key';
  readonly isDeprecated?: boolean;
}

/** One operation of an HTTP API: path, required access, input, output and handler. */
export interface Endpoint extends EndpointDoc {
  /**
   * `view`: read access; `operate`: acting on running streams and sessions; `edit`: changing the configuration; `probe`: no
   * credentials needed.
   */
  readonly access: 'probe' | 'view' | 'operate' | 'edit';
  /**
   * Whether the endpoint changes something although its method is GET. It then needs a login, or a header by which the browser
   * states that the request is not cross-site.
   */
  readonly isAction?: boolean;
  /**
   * Whether the handler checks the names of query parameters itself, as lists do, because they have too many filters to
   * declare.
   */
  readonly readsQuery?: boolean;
  /** Handles a request: at most ten lines that call a use case of `control`. */
  readonly handle: (request: EndpointRequest) => Answer | Promise<Answer>;
}

/** Endpoints under common prefixes. */
export interface Api {
  /** Prefixes of the paths. The document shows the first one. */
  readonly prefixes: readonly string[];
  readonly endpoints: readonly Endpoint[];
  /** Whether pages of all origins may read the answers, for players on other sites. */
  readonly isPublic?: boolean;
}

/** Default maximum body, in bytes. */
export const BODY_LIMIT_BYTES = 1024 * 1024;
