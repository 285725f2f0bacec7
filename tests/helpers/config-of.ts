import type { Config } from '../../src-main/config/schema/config.ts';
import { parseConfig } from './parse-config.ts';

/** Configuration of a valid text; throws the first error of an invalid text. */
export function configOf(text: string): Config {
  const { config, errors } = parseConfig(text);
  if (!config) throw new Error(errors.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n'));
  return config;
}
