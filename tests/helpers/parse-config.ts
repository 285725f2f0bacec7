import { ConfigDocument, type ConfigResult } from '../../src-main/config/document.ts';

/** Reads a configuration text. Any text gives a result; mistakes have a place. */
export function parseConfig(text: string): ConfigResult {
  const { config, errors, warnings } = ConfigDocument.parse(text);
  return { config, errors, warnings };
}
