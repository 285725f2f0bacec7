import type { CallOutput, ConfigFileDiff, ConfigState } from '../../src-preload/contract/index.ts';
import type { CONFIG_CALLS } from '../../src-preload/contract/operations/config-calls.ts';
import { directiveHelp } from '../config/directive-help.ts';
import type { Handlers } from '../operators/handlers.ts';
import type { Configuration } from './configuration.ts';
import { warningsView } from './change-report.ts';
import type { Running } from './change-impact.ts';
import type { Applied } from './configuration-change.ts';
import { fileDiffView, pendingView, versionsView } from './configuration-view.ts';
import { checkedText, editedText, requireRevision, textAfterEdits, versionText } from './text-calls.ts';

/** The configuration as a whole. */
export function configCalls(configuration: Configuration, running: Running): Handlers<typeof CONFIG_CALLS> {
  const after = async (work: Promise<unknown>): Promise<ConfigState> => {
    await work;
    return configState(configuration);
  };
  const applied = async (work: Promise<Applied>): Promise<CallOutput<'config.reload'>> => {
    const { document } = await work;
    return { ...configState(configuration), ...warningsView(document) };
  };
  return {
    'config.text': () => editedText(configuration),
    'config.version_text': ({ id }) => versionText(configuration, id),
    'config.directives': () => ({ blocks: directiveHelp() }),
    'config.check': ({ text }) => checkedText(configuration, text, running),
    'config.edit_text': (input) => textAfterEdits(configuration, input),
    'config.apply': ({ text, revision, confirm_within: seconds }, { by }) =>
      applied(
        configuration.changes.replace(text, by, {
          check: () => requireRevision(configuration, revision),
          ...(seconds === undefined ? {} : { confirmWithinMs: seconds * 1000 }),
        }),
      ),
    'config.state': () => configState(configuration),
    'config.versions': ({ limit, before }) => versionsView(configuration, limit, before),
    'config.compare_file': () => comparedFile(configuration),
    'config.undo': ({ version }, { by }) => after(configuration.versions.undo(version, by)),
    'config.confirm': (_, { by }) => after(configuration.probation.confirm(by)),
    'config.rollback': (_, { by }) => after(configuration.probation.rollback(by)),
    'config.reload': (_, { by }) => applied(configuration.changes.reload(by)),
    'config.restore': ({ id, confirm_within: seconds }, { by }) =>
      applied(configuration.versions.restore(id, by, seconds === undefined ? {} : { confirmWithinMs: seconds * 1000 })),
  };
}

async function comparedFile(configuration: Configuration): Promise<ConfigFileDiff> {
  const file = await configuration.fileDocument();
  return { ...(await fileDiffView(configuration, file)), ...(file?.config ? warningsView(file) : {}) };
}

function configState(configuration: Configuration): ConfigState {
  const { error, versionId, isFileNewer, isOnDisk } = configuration;
  const pending = pendingView(configuration);
  return { error, version: versionId, file_is_newer: isFileNewer, is_saved: isOnDisk, pending };
}
