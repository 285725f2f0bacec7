import type { ThreadStart } from './thread-messages.ts';

/**
 * Start of the server after the question about a configuration of a double click. Without consent, the configuration
 * of the data folder is used.
 *
 * @param ask shows the path of the file; resolves with true for consent
 */
export async function confirmedStart<S extends Pick<ThreadStart, 'configFile' | 'isConfigOpened'>>(
  start: S,
  ask: (file: string) => Promise<boolean>,
): Promise<S> {
  if (start.configFile === null || !start.isConfigOpened || (await ask(start.configFile))) return start;
  return { ...start, configFile: null, isConfigOpened: false };
}
