import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { summarize, summarizeVersion } from '../config/change-summary.ts';
import type { ConfigFile } from '../config/config-file.ts';
import { diffConfig } from '../config/diff-config.ts';
import { ConfigDocument } from '../config/document.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { describeErrors, logWarnings } from './configuration-error.ts';
import type { ConfigurationHistory } from './configuration-history.ts';

export interface StartOptions {
  readonly file: ConfigFile;
  readonly history: ConfigurationHistory;
  /** Configuration of the demonstration, for a server that has no configuration yet. */
  readonly demoText: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface StartingPoint {
  /** Document without mistakes. */
  readonly document: ConfigDocument;
  /** Version in the history; null if it has none. */
  readonly versionId: number | null;
  /** Mistake in the file; null if the file is in force. */
  readonly error: string | null;
}

/**
 * Finds the configuration to start with: the file, or the demonstration if there is no file. If the file has mistakes or is not
 * readable, the last correct version is used; without such a version, an empty configuration without streams and ports. Writes
 * the file only if there was none.
 */
export async function findStart(options: StartOptions): Promise<StartingPoint> {
  const { file, history, demoText, log } = options;
  const loaded = await file.load().catch(unreadable);
  if (loaded instanceof AirdeskError) return startWithoutFile(options, loaded.message);
  if (loaded === undefined) {
    if (history.newest().length > 0)
      log.warn(
        'there is no configuration file, so the demonstration is written; earlier versions can be restored from the history',
        {
          path: file.path,
        },
      );
    await file.save(demoText);
  }
  const text = loaded ?? demoText;
  const document = await ConfigDocument.parseInTurns(text);
  await settlePending(history, document.config ? text : undefined, log);
  if (!document.config) return startWithoutFile(options, describeErrors(document.errors));
  logWarnings(log, document);
  return { document, versionId: await versionOf(document, options), error: null };
}

function unreadable(cause: unknown): AirdeskError {
  if (cause instanceof AirdeskError && cause.code === 'config_file_unreadable') return cause;
  throw cause;
}

/**
 * Ends the probation that a previous server left open. A version that was written to the file stays in force, any other is
 * rolled back.
 * @param text text of the file
 */
async function settlePending(history: ConfigurationHistory, text: string | undefined, log: Log): Promise<void> {
  for (const version of history.newest()) {
    if (version.state !== 'pending') continue;
    const isInFile = version.isOnDisk && text !== undefined && (await history.readableText(version.id)) === text;
    history.settle(version.id, isInFile ? 'confirmed' : 'rolled_back');
    if (!isInFile)
      log.warn('a change of the configuration was not confirmed and is rolled back', { version: version.id });
  }
}

/** Number of the version with this text in the history. Adds a version if the file was changed while no server ran. */
async function versionOf(document: ConfigDocument, { history, clock }: StartOptions): Promise<number | null> {
  const before = history.newest().find(({ state }) => state === 'confirmed');
  const textBefore = before && (await history.readableText(before.id));
  if (before && textBefore === document.text && before.isOnDisk) return before.id;
  const earlier =
    textBefore === undefined ? undefined : (await ConfigDocument.parseInTurns(textBefore, document)).config;
  const summary =
    earlier && document.config ? summarize(diffConfig(earlier, document.config)) : summarizeVersion('first');
  return history.add(
    {
      parentId: before?.id ?? null,
      atMs: clock.now(),
      who: 'server',
      fromWhere: 'start',
      ...summary,
      state: 'confirmed',
      confirmByMs: null,
      isOnDisk: true,
    },
    document.text,
  );
}

async function startWithoutFile({ history, log }: StartOptions, error: string): Promise<StartingPoint> {
  for (const version of history.newest()) {
    if (version.state !== 'confirmed' || !version.isOnDisk) continue;
    const text = await history.readableText(version.id);
    const document = text === undefined ? undefined : await ConfigDocument.parseInTurns(text);
    if (!document?.config) continue;
    log.error('the configuration file cannot be used; the last correct version is in force', {
      error,
      version: version.id,
    });
    return { document, versionId: version.id, error };
  }
  log.error('the configuration file cannot be used, and there is no earlier version; no stream and no port is opened', {
    error,
  });
  return { document: ConfigDocument.parse(''), versionId: null, error };
}
