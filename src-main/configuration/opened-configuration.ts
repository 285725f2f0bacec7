import type { Config } from '../config/schema/config.ts';
import { ConfigDocument } from '../config/document.ts';
import { ConfigurationError } from './configuration-error.ts';
import { checkPaths } from './path-policy.ts';

/**
 * Raises `ValueRefusal` if a configuration opened by double click names files that the server's own configuration does not
 * allow, because the opened file may come from anywhere. Raises `ConfigurationError` if it has mistakes.
 * @param ownText text of the configuration in the data folder; empty without one
 */
export async function checkOpened(text: string, ownText: string, dataFolder: string): Promise<void> {
  const { config, errors } = ConfigDocument.parse(text);
  if (!config) throw new ConfigurationError(errors);
  await checkPaths(configOf(ownText), config, { who: 'file', fromWhere: 'double click' }, { dataFolder });
}

/** Parsed configuration. A configuration with mistakes counts as empty, so it allows nothing. */
function configOf(text: string): Config {
  const config = ConfigDocument.parse(text).config ?? ConfigDocument.parse('').config;
  if (!config) throw new Error('an empty configuration is valid');
  return config;
}
