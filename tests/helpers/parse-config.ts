import { ConfigDocument, type ConfigResult } from '../../src-main/config/document.ts';

/** Parses a configuration text. Any text has a result; errors have a position. */
export function parseConfig(text: string): ConfigResult {
  const { config, errors, warnings } = ConfigDocument.parse(text);
  return { config, errors, warnings };
}
