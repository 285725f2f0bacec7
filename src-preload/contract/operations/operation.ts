import { z } from 'zod';
import { streamNameSchema } from '../api/streams.ts';
import type { PORTAL_SCOPES } from '../api/subscribers/subscriber-objects.ts';

/**
 * Operation of the server, declared once. The bridge, the desk's typed calls, the HTTP API, its document, rights, scopes and
 * the documentation follow from the declaration. An operation without `access` does not compile, and neither does an operation
 * that writes but needs only read access.
 */
export type Operation = DescribedOperation &
  (
    | { readonly access: 'view'; readonly isWrite: false }
    /** `operate`: acting on running streams and sessions; `edit`: changing or reading the configuration. Changes are recorded as events. */
    | { readonly access: 'operate' | 'edit'; readonly isWrite: boolean }
  );

interface DescribedOperation {
  /** Input. Its fields become the path parameters, query parameters and body fields of the HTTP API. */
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /**
   * Streams that the operation concerns. `stream`: the streams named in its input; `visible`: the streams that the caller may
   * see; `server`: all streams, so tokens that are limited to a prefix are refused.
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

/** Name of a stream in the path of an address. */
export const streamInPath = streamNameSchema.describe('name of the object, percent-encoded');

/** Whole number in a query, where values are texts. @param max maximum; absent for no limit */
export function queryInteger(min: number, max?: number): z.ZodType<number> {
  const error = `must be a whole number from ${min}${max === undefined ? '' : ` to ${max}`}`;
  const number = z.number({ error }).int({ error }).min(min, { error });
  return z.preprocess(
    (text) => (typeof text === 'string' && /^[0-9]{1,15}$/.test(text) ? Number(text) : text),
    // Without this, the schema library would describe the largest integer of JavaScript as the maximum.
    max === undefined ? number.meta({ maximum: undefined }) : number.max(max, { error }),
  );
}

/** Operations by the names of their calls. */
export type OperationTable = Readonly<Record<string, Operation>>;

/** Error statuses that the API document describes. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 424 | 429 | 502 | 503 | 504 | 507;

/** JSON value. */
type Example = string | number | boolean | null | readonly Example[] | { readonly [key: string]: Example };

/** An operation in the HTTP API. */
export interface HttpOperation {
  /** Unique name, for generated clients: `portal_create`. */
  readonly id: string;
  /**
   * Method, and path below the prefix of its API: `GET /portals/{portalId}`. `{name}` is a field of the input; `{+name}`, at the
   * end, takes all remaining segments.
   */
  readonly at: `${'GET' | 'PUT' | 'POST' | 'DELETE'} /${string}`;
  /** Scope of a portal key, which HTTP callers need instead of a login. The portal of the key becomes the field `portalId`. */
  readonly key?: (typeof PORTAL_SCOPES)[number];
  readonly summary: string;
  readonly description?: string;
  /** Status of success. Default: 200, or 204 if the output has no fields. With 204 and 307 the answer has no body. */
  readonly status?: 201 | 202 | 204 | 307;
  /** Names of headers that the answer has instead of body fields, and the fields of the output with their values. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Description of the answer. */
  readonly answer: string;
  /** Media type of an answer that is a text. */
  readonly type?: `text/${string}` | 'application/x-pem-file';
  /** Name of the answer's schema in the document; absent if the schema is not shared. */
  readonly answerSchema?: string;
  /** Name of the body's schema in the document; absent if the schema is not shared. */
  readonly bodySchema?: string;
  /** Address of the new object, below the prefix of its API: `/dvr_cases/{id}`. `{id}` is a field of the answer. */
  readonly location?: `/${string}`;
  /** Error statuses besides those that follow from access, parameters and body. */
  readonly errors?: readonly ErrorStatus[];
  /** Example of a body. */
  readonly example?: { readonly [key: string]: Example };
  /** Whether a request without a body is the same as one with an empty object. */
  readonly isBodyOptional?: true;
  /** Whether a DELETE takes its fields from a body instead of the query. */
  readonly isBodyInDelete?: true;
  /**
   * Whether the operation lists in pages. Its input then has `limit` and `afterId`, and the field `next` of its output is an
   * id. Over HTTP, both ids are cursors.
   */
  readonly isPaged?: true;
  /** Whether a POST takes its fields from the query instead of a body. */
  readonly isQueryInPost?: true;
  /** Whether a request that is repeated with the same Idempotency-Key is executed only once. */
  readonly isIdempotent?: true;
}
