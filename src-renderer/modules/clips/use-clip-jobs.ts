import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import type { ClipJobObject } from '../../../src-preload/contract/api/file-processor-object.ts';
import { useBridge } from '../../server/bridge.ts';

/** Polling interval of the jobs while the page is open, in milliseconds. */
const POLL_MS = 2000;

/** Conversion jobs while the component is mounted; undefined before the first answer. */
export function useClipJobs(): {
  readonly jobs: Readonly<ShallowRef<readonly ClipJobObject[] | undefined>>;
  refresh(): Promise<void>;
} {
  const bridge = useBridge();
  const jobs = shallowRef<readonly ClipJobObject[]>();
  let isRequesting = false;
  async function refresh(): Promise<void> {
    if (isRequesting) return;
    isRequesting = true;
    const reply = await bridge.call('clips.jobs', {});
    isRequesting = false;
    // The last jobs stay while the server is away; the page shows that they are stale.
    if (reply.ok) jobs.value = reply.value.jobs;
  }
  void refresh();
  const timer = setInterval(() => void refresh(), POLL_MS);
  onScopeDispose(() => clearInterval(timer));
  return { jobs, refresh };
}
