import type { CallInput } from '../../src-preload/contract/index.ts';
import { joinAddress } from '../lib/format.ts';
import { useServerStore } from './server-store.ts';
import { useCall } from './use-call.ts';

/** Calls that return the path of a download. */
type DownloadCall =
  | 'ads.download_as_run'
  | 'ads.download_key'
  | 'alarms.download_history'
  | 'alarms.download_loudness'
  | 'archive.download_export';

/**
 * Downloads files of the server, for use inside a component. The server is asked for an address first, because a link has no
 * login. If it refuses, the operator is shown why.
 *
 * @param isPage opens the file in a tab of its own
 */
export function useDownload(isPage = false): <N extends DownloadCall>(name: N, input: CallInput<N>) => Promise<void> {
  const call = useCall();
  const server = useServerStore();
  return async (name, input) => {
    const reply = await call(name, input);
    if (!reply) return;
    const link = document.createElement('a');
    link.href = joinAddress(server.mediaBase, reply.path);
    if (isPage) [link.target, link.rel] = ['_blank', 'noopener'];
    else link.download = '';
    link.click();
  };
}
