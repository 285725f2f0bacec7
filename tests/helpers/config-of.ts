import type { Config } from '../../src-main/config/schema/config.ts';
import { parseConfig } from './parse-config.ts';

/** Configuration of a text that must be valid; otherwise throws the first mistake. */
export function configOf(text: string): Config {
  const { config, errors } = parseConfig(text);
  if (!config) throw new Error(errors.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n'));
  return config;
}
