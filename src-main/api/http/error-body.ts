import type { ErrorCode, Explanation } from '../../../src-preload/contract/index.ts';

/** Location of the mistake in a request. */
interface ErrorSource {
  /** Query or path parameter. */
  readonly parameter?: string;
  /** JSON Pointer into the body (RFC 6901). */
  readonly pointer?: string;
}

/** Body of every error of the HTTP APIs: a list for new clients, and the code alone for old ones. */
export interface ErrorBody {
  readonly errors: readonly {
    readonly code: ErrorCode;
    /** HTTP status as text. */
    readonly status: string;
    readonly title: string;
    readonly detail?: string;
    readonly explanation?: Explanation;
    readonly source?: ErrorSource;
    readonly meta?: Readonly<Record<string, string>>;
  }[];
  readonly error: ErrorCode;
}
