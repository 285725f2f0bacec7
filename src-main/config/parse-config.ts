import { parseConfigText, type ParsedText } from '../../src-preload/contract/config-language/parse.ts';
import { LineTable } from '../../src-preload/contract/config-language/lines.ts';
import type { Config } from './config.ts';
import { ConfigMapper } from './map-config.ts';
import { Problems, type ConfigError } from './problem.ts';

/** The longest configuration text that is read. */
export const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

/** What a configuration text says. */
export interface ConfigResult {
  /** Undefined when there are errors. */
  readonly config: Config | undefined;
  readonly errors: readonly ConfigError[];
  /** What works and should be known, such as directives without effect yet. */
  readonly warnings: readonly ConfigError[];
}

/** Reads a configuration text. Any text gives a result; mistakes have a place. */
export function parseConfig(text: string): ConfigResult {
  if (text.length <= MAX_TEXT_LENGTH) return mapText(parseConfigText(text));
  const problems = new Problems(new LineTable(''));
  problems.error(0, 'config_syntax', [], `The configuration is longer than ${MAX_TEXT_LENGTH} characters`);
  return { config: undefined, errors: problems.errors, warnings: [] };
}

/** Gives the statements of a text that was taken apart their meaning. */
export function mapText(parsed: ParsedText): ConfigResult {
  const problems = new Problems(parsed.lines);
  // With a mistake of form, the statements after it may be another's arguments or block: what they mean is not told.
  for (const { from, message, expected, found } of parsed.problems) problems.error(from, 'config_syntax', [], message, { expected, found });
  if (problems.errors.length > 0) return { config: undefined, errors: problems.errors, warnings: [] };
  const config = new ConfigMapper(problems, parsed.lines).map(parsed.directives);
  problems.errors.sort((a, b) => a.line - b.line || a.column - b.column);
  return { config: problems.errors.length > 0 ? undefined : config, errors: problems.errors, warnings: problems.warnings };
}
