import { ERRORS } from '../../../src-preload/contract/index.ts';
import { pointerOf, type ConfigurationError } from '../../configuration/configuration-error.ts';
import type { ErrorBody } from './error-body.ts';

/** Body of an error in a configuration: the first mistake with its place, and the list of all mistakes. */
export interface ConfigErrorBody extends ErrorBody {
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1. */
  readonly col: number;
  readonly first_error_line: number;
  readonly first_error_col: number;
  /** Path of the value in the configuration: `["streams", "cam1", "inputs", 0, "url"]`. */
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

export function configErrorBody({ code, errors, message }: ConfigurationError): ConfigErrorBody {
  const [first] = errors;
  const { line, column, path } = first ?? { line: 1, column: 1, path: [] };
  return {
    errors: errors.map((error) => ({
      code: error.code,
      status: String(ERRORS[error.code].status),
      title: ERRORS[error.code].title,
      detail: error.message,
      ...(error.path.length > 0 ? { source: { pointer: pointerOf(error.path) } } : {}),
      meta: {
        line: String(error.line),
        col: String(error.column),
        ...(error.expected === undefined ? {} : { expected: error.expected }),
        ...(error.found === undefined ? {} : { found: error.found }),
      },
    })),
    error: code,
    line,
    col: column,
    first_error_line: line,
    first_error_col: column,
    path,
    detail: message,
  };
}
