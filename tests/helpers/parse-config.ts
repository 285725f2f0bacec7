import { ConfigDocument, type ConfigResult } from '../../src-main/config/document.ts';

/** Parses a configuration text. Any text gives a result; mistakes have a position. */
export function parseConfig(text: string): ConfigResult {
  const { config, errors, warnings } = ConfigDocument.parse(text);
  return { config, errors, warnings };
}
