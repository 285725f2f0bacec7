import type { CallInput, CallName, CallOutput, ConfigFileDiff, ConfigState } from '../../src-preload/contract/index.ts';
import { directiveHelp } from '../config/directive-help.ts';
import { changedBy, type Caller } from '../operators/caller.ts';
import type { Configuration } from './configuration.ts';
import { warningsView } from './change-report.ts';
import type { Running } from './change-impact.ts';
import type { Applied } from './configuration-change.ts';
import { fileDiffView, versionsView } from './configuration-view.ts';
import { checkedText, editedText, requireRevision, textAfterEdits, versionText } from './text-calls.ts';

type ConfigCall = Extract<CallName, `config.${string}`>;

/** Calls of the desk for the complete configuration. */
export function configCalls(
  configuration: Configuration,
  caller: Caller,
  running: Running,
): { [N in ConfigCall]: (input: CallInput<N>) => Promise<CallOutput<N>> } {
  const by = changedBy(caller, 'desk');
  const after = async (work: Promise<unknown>): Promise<ConfigState> => {
    await work;
    return configState(configuration);
  };
  const applied = async (work: Promise<Applied>): Promise<CallOutput<'config.reload'>> => {
    const { document } = await work;
    return { ...configState(configuration), ...warningsView(document) };
  };
  return {
    'config.text': () => {
      return editedText(configuration);
    },
    'config.version_text': ({ id }) => {
      return versionText(configuration, id);
    },
    'config.directives': () => {
      return Promise.resolve({ blocks: directiveHelp() });
    },
    'config.check': ({ text }) => {
      return checkedText(configuration, text, running);
    },
    'config.edit_text': (input) => {
      return textAfterEdits(configuration, input);
    },
    'config.apply': ({ text, revision, confirm_within: seconds }) =>
      applied(
        configuration.changes.replace(text, by, {
          check: () => requireRevision(configuration, revision),
          ...(seconds === undefined ? {} : { confirmWithinMs: seconds * 1000 }),
        }),
      ),
    'config.state': () => Promise.resolve(configState(configuration)),
    'config.versions': ({ limit, before }) => {
      return Promise.resolve(versionsView(configuration, limit, before));
    },
    'config.compare_file': () => {
      return comparedFile(configuration);
    },
    'config.undo': ({ version }) => after(configuration.versions.undo(version, by)),
    'config.confirm': () => after(configuration.probation.confirm(by)),
    'config.rollback': () => after(configuration.probation.rollback(by)),
    'config.reload': () => applied(configuration.changes.reload(by)),
    'config.restore': ({ id, confirm_within: seconds }) =>
      applied(configuration.versions.restore(id, by, seconds === undefined ? {} : { confirmWithinMs: seconds * 1000 })),
  };
}

async function comparedFile(configuration: Configuration): Promise<ConfigFileDiff> {
  const file = await configuration.fileDocument();
  return { ...(await fileDiffView(configuration, file)), ...(file?.config ? warningsView(file) : {}) };
}

function configState({ error, versionId, isFileNewer, isOnDisk, pending }: Configuration): ConfigState {
  return {
    error,
    version: versionId,
    file_is_newer: isFileNewer,
    is_saved: isOnDisk,
    pending: pending && {
      version: pending.versionId,
      confirm_by: pending.confirmByMs,
      who: pending.by.who,
      from_where: pending.by.fromWhere,
    },
  };
}
