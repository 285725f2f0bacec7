import { AirdeskError, ERRORS } from '../../../src-preload/contract/index.ts';
import { ConfigurationError } from '../../configuration/configuration-error.ts';
import { fullDiskError } from '../../control/full-disk.ts';
import { configErrorBody } from './config-error-body.ts';
import type { ErrorBody } from './error-body.ts';

/** Details of an error that name the location of the mistake in the request. */
const SOURCE_KEYS: ReadonlySet<string> = new Set(['parameter', 'pointer']);

/** Error as the body of a reply. Its details `parameter` and `pointer` become the source, all others the meta. */
export function errorBody(error: AirdeskError): ErrorBody {
  if (error instanceof ConfigurationError) return configErrorBody(error);
  const { title, status } = ERRORS[error.code];
  const { parameter, pointer } = error.details;
  const meta = Object.entries(error.details).flatMap(([key, value]) =>
    SOURCE_KEYS.has(key) || value === null ? [] : [[key, String(value)] as const],
  );
  const source = {
    ...(typeof parameter === 'string' ? { parameter } : {}),
    ...(typeof pointer === 'string' ? { pointer } : {}),
  };
  return {
    errors: [
      {
        code: error.code,
        status: String(status),
        title,
        ...(error.message === title ? {} : { detail: error.message }),
        ...(error.explanation ? { explanation: error.explanation } : {}),
        ...(Object.keys(source).length > 0 ? { source } : {}),
        ...(meta.length > 0 ? { meta: Object.fromEntries(meta) } : {}),
      },
    ],
    error: error.code,
  };
}

/** Converts the error of a handler to an error of the catalogue; undefined for an internal error of the server. */
export function knownError(cause: unknown): AirdeskError | undefined {
  if (cause instanceof AirdeskError) return cause;
  if (!(cause instanceof Error)) return undefined;
  const full = fullDiskError(cause);
  if (full) return full;
  // System error for a path that is too long for any file.
  if ('code' in cause && cause.code === 'ENAMETOOLONG') return new AirdeskError('not_found');
  if (!('statusCode' in cause)) return undefined;
  switch (cause.statusCode) {
    case 413:
      return new AirdeskError('request_too_large', 'The body is longer than the limit');
    case 415:
      return new AirdeskError('unsupported_media_type');
    // The path leads out of its folder, or does not name a file.
    case 403:
    case 404:
      return new AirdeskError('not_found');
    case 400:
      return new AirdeskError('bad_request', cause.message);
    default:
      return undefined;
  }
}
