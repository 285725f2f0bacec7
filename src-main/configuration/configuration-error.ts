import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { ConfigError } from '../config/parse/problem.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';

/** A configuration or an edit that is not taken, with every mistake and its place. As an error it speaks of the first one. */
export class ConfigurationError extends AirdeskError {
  readonly errors: readonly ConfigError[];
  /** Whether an edit could not be made; otherwise what came of it is wrong. */
  readonly isOfEdit: boolean;

  /** @param errors at least one */
  constructor(errors: readonly ConfigError[], isOfEdit = false) {
    const [first] = errors;
    super(first?.code ?? 'config_syntax', first?.message, first ? detailsOf(first) : {});
    this.name = 'ConfigurationError';
    this.errors = errors;
    this.isOfEdit = isOfEdit;
  }
}

/** The first mistake in one line, with its place. */
export function describeErrors(errors: readonly ConfigError[]): string {
  const [first] = errors;
  if (!first) return 'the text cannot be read';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `line ${first.line}, column ${first.column}: ${first.message}${more}`;
}

/** What kept a configuration from being taken, in one line. */
export function describeFailure(cause: unknown): string {
  if (cause instanceof ConfigurationError) return describeErrors(cause.errors);
  return messageOf(cause);
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

/** A place in the configuration as a JSON Pointer (RFC 6901). */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Most warnings of one configuration that the log lists. */
const MAX_LOGGED = 20;

/** Logs what should be known of a document, such as options that no reader has, with its line; not what was known of the one before. */
export function logWarnings(log: Log, { warnings }: ConfigDocument, before?: ConfigDocument): void {
  const keyOf = ({ path, message }: ConfigError): string => JSON.stringify([path, message]);
  const known = new Set(before?.warnings.map(keyOf));
  const news = warnings.filter((warning) => !known.has(keyOf(warning)));
  for (const { line, column, code, message } of news.slice(0, MAX_LOGGED))
    log.warn('the configuration has a setting to look at', { line, column, code, detail: message });
  if (news.length > MAX_LOGGED) log.warn('and further ones', { count: news.length - MAX_LOGGED });
}
