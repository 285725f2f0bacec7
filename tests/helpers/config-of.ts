import type { Config } from '../../src-main/config/config.ts';
import { parseConfig } from './parse-config.ts';

/** The configuration of a text that must be right, such as one of a test; throws the first mistake otherwise. */
export function configOf(text: string): Config {
  const { config, errors } = parseConfig(text);
  if (!config) throw new Error(errors.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n'));
  return config;
}
