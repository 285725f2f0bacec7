import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';
import { AirdeskError, type ErrorCode } from '../../src-preload/contract/errors.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { ConfigError, ConfigPath } from '../config/parse/problem.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';

/** Refused configuration or edit, with all mistakes and their positions. Its message is the first mistake. */
export class ConfigurationError extends AirdeskError {
  readonly errors: readonly ConfigError[];
  /** Whether the edit itself was impossible; otherwise its result has mistakes. */
  readonly isOfEdit: boolean;

  /** @param errors at least one */
  constructor(errors: readonly ConfigError[], isOfEdit = false) {
    const [first] = errors;
    super(first?.code ?? 'config_syntax', first && reasonOf(first), first ? detailsOf(first) : {});
    this.name = 'ConfigurationError';
    this.errors = errors;
    this.isOfEdit = isOfEdit;
  }
}

/** Refused change: a value is valid in the configuration file, but the caller may not set it. */
export class ValueRefusal extends AirdeskError {
  /** Location of the value in the JSON of the configuration; empty if unknown. */
  readonly path: ConfigPath;

  constructor(code: ErrorCode, detail: string, path: ConfigPath) {
    super(code, detail, path.length > 0 ? { pointer: pointerOf(path) } : {});
    this.path = path;
  }
}

/** First mistake with its position, in one line. */
export function describeErrors(errors: readonly ConfigError[]): string {
  const [first] = errors;
  if (!first) return 'the text cannot be parsed';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `line ${first.line}, column ${first.column}: ${first.message}${more}`;
}

/** Reason for refusing a configuration, in one line. */
export function describeFailure(cause: unknown): string {
  if (cause instanceof ConfigurationError) return describeErrors(cause.errors);
  return messageOf(cause);
}

function reasonOf({ message, explanation }: ConfigError): Explained {
  return { detail: message, explanation };
}

function detailsOf({ line, column, path, expected, found }: ConfigError): Record<string, string | number> {
  return {
    line,
    column,
    ...(path.length > 0 ? { pointer: pointerOf(path) } : {}),
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
  };
}

/** Path in the configuration as a JSON Pointer (RFC 6901). */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Maximum number of warnings of one configuration in the log. */
const MAX_LOGGED = 20;

/** Logs the warnings that the previous document did not have, with their lines; for example, options without effect. */
export function logWarnings(log: Log, { warnings }: ConfigDocument, before?: ConfigDocument): void {
  const keyOf = ({ path, message }: ConfigError): string => JSON.stringify([path, message]);
  const earlier = new Set(before?.warnings.map(keyOf));
  const added = warnings.filter((warning) => !earlier.has(keyOf(warning)));
  for (const { line, column, code, message } of added.slice(0, MAX_LOGGED))
    log.warn('the configuration has a warning', { line, column, code, detail: message });
  if (added.length > MAX_LOGGED)
    log.warn('the configuration has more warnings than the log shows', { count: added.length - MAX_LOGGED });
}
