import type { z } from 'zod';
import type { PORTAL_SCOPES } from '../api/subscribers/subscriber-objects.ts';

/**
 * Operation of the server, declared once. The bridge, the desk's typed calls, the HTTP API, its document, rights, scopes and the
 * documentation follow from the declaration. One without access does not compile, nor a change that needs read access alone.
 */
export type Operation = DescribedOperation &
  (
    | { readonly access: 'view'; readonly isWrite: false }
    /** `operate`: acting on running things; `edit`: changing or reading the configuration. Changes are recorded as events. */
    | { readonly access: 'operate' | 'edit'; readonly isWrite: boolean }
  );

interface DescribedOperation {
  /** Its fields are the path parameters, query parameters and body fields of the HTTP API. */
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /**
   * `stream`: the streams in its input; `visible`: the streams that the caller may see; `server`: all streams, so tokens with a
   * prefix are refused.
   */
  readonly about: 'stream' | 'visible' | 'server';
  /** Ids of other HTTP operations with the same effect, which need the same rights. */
  readonly sameAs?: readonly string[];
  /** Place in the current generation of the HTTP API; absent if only the desk offers it. */
  readonly http?: HttpOperation;
}

/** Rights of an operation that changes nothing. */
export const reads = <A extends Operation['access'], B extends Operation['about']>(access: A, about: B) =>
  ({ access, about, isWrite: false }) as const;
/** Rights of an operation that changes something. */
export const writes = <A extends 'operate' | 'edit', B extends Operation['about']>(access: A, about: B) =>
  ({ access, about, isWrite: true }) as const;

/** Operations by the names of their calls. */
export type OperationTable = Readonly<Record<string, Operation>>;

/** Error statuses that the document describes. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 424 | 429 | 503 | 507;

/** An operation in the HTTP API. */
export interface HttpOperation {
  /** Unique name, for generated clients: `portal_create`. */
  readonly id: string;
  /** Method, and path below the prefix of its API: `GET /portals/{portalId}`. `{name}` is a field of the input. */
  readonly at: `${'GET' | 'PUT' | 'POST' | 'DELETE'} /${string}`;
  /** Scope of a portal's key, which HTTP callers need instead of a login. The key gives the field `portalId`. */
  readonly key?: (typeof PORTAL_SCOPES)[number];
  readonly summary: string;
  readonly description?: string;
  /** Status of success. Default: 200; 204 if the output has no fields. */
  readonly status?: 201 | 202;
  /** Description of the answer. */
  readonly answer: string;
  /** Name of the answer's schema in the document; absent if the schema is not shared. */
  readonly answerSchema?: string;
  /** Name of the body's schema in the document; absent if the schema is not shared. */
  readonly bodySchema?: string;
  /** Address of the new object, below the prefix of its API: `/dvr_cases/{id}`. `{id}` is a field of the answer. */
  readonly location?: `/${string}`;
  /** Error statuses besides those that follow from access, parameters and body. */
  readonly errors?: readonly ErrorStatus[];
  /** Example of a body. */
  readonly example?: Readonly<Record<string, string>>;
  /** Whether a request without a body is the same as one with an empty object. */
  readonly isBodyOptional?: true;
}
