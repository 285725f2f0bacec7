import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import type { CallInput, Reply } from '../../../../src-preload/contract/index.ts';
import type { ExportJobBody, ExportJobObject } from '../../../../src-preload/contract/api/export-job-object.ts';
import { useBridge } from '../../../server/bridge.ts';
import { errorSentence, failureText } from '../../../lib/error-advice.ts';
import { useDownload } from '../../../server/use-download.ts';
import { useWhileLive } from '../../../server/use-while-live.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import { TEXTS } from './texts.ts';

/** Exports of archives, as the page shows them. */
export interface ShownExports {
  /** Newest first; undefined before the first answer. */
  readonly jobs: Readonly<ShallowRef<readonly ExportJobObject[] | undefined>>;
  /** Number of unfinished exports. */
  readonly running: ComputedRef<number>;
  /**
   * Queues an export.
   *
   * @param isDownloaded downloads its files as soon as it is complete
   * @returns error message; null after a success
   */
  create(body: ExportJobBody, isDownloaded: boolean): Promise<string | null>;
  /** Queues an export of a case. @param title title of the case */
  createOfCase(body: CallInput<'cases.export'>, title: string, isDownloaded: boolean): Promise<string | null>;
  /** Downloads one file of a complete export, by its index from 0, or all files as one archive. */
  download(id: string, file?: number): Promise<void>;
  /** Cancels an export, or removes a finished one from the list. */
  remove(id: string): Promise<void>;
}

/** Polling interval of the jobs in milliseconds: while one is running, and otherwise. */
const POLL_MS = 1000;
const IDLE_POLLS = 8;

/** Exports while the component is mounted. */
export function useExports(): ShownExports {
  const bridge = useBridge();
  const save = useDownload();
  const toasts = useToastStore();
  const jobs = shallowRef<readonly ExportJobObject[]>();
  const running = computed(
    () => (jobs.value ?? []).filter(({ status }) => status === 'queued' || status === 'running').length,
  );
  const toSave = new Set<string>();
  let poll = 0;

  async function load(): Promise<void> {
    const reply = await bridge.call('archive.exports', {});
    if (!reply.ok) return;
    const before = new Map((jobs.value ?? []).map((job) => [job.id, job.status]));
    jobs.value = reply.value.jobs;
    for (const { id, status, names, error, detail, explanation, files, case: caseInfo } of reply.value.jobs) {
      const name = caseInfo?.title ?? names.join(', ');
      if (status === 'done' && toSave.delete(id)) {
        if (caseInfo) void download(id);
        else for (const file of files.keys()) void download(id, file);
      }
      const was = before.get(id);
      if (was !== 'queued' && was !== 'running') continue;
      if (status === 'done') toasts.show({ kind: 'info', text: TEXTS.done(name), durationMs: 6000 });
      if (status === 'failed')
        toasts.show({
          kind: 'error',
          text: `${TEXTS.failed(name)} ${failureText(error, detail, explanation)}`,
          durationMs: 12_000,
        });
    }
  }
  async function queued(reply: Reply<ExportJobObject>, name: string, isDownloaded: boolean): Promise<string | null> {
    if (reply.ok && isDownloaded) toSave.add(reply.value.id);
    await load();
    if (!reply.ok) return errorSentence(reply.error);
    toasts.show({ kind: 'info', text: TEXTS.queued(name), durationMs: 4000 });
    return null;
  }
  async function download(id: string, file?: number): Promise<void> {
    await save('archive.download_export', { id, ...(file === undefined ? {} : { file }) });
  }
  useWhileLive(() => {
    if (running.value > 0 || poll++ % IDLE_POLLS === 0) void load();
  }, POLL_MS);
  return {
    jobs,
    running,
    download,
    async create(body, isDownloaded) {
      const names = (body.names ?? [body.name]).join(', ');
      return queued(await bridge.call('archive.export', body), names, isDownloaded);
    },
    async createOfCase(body, title, isDownloaded) {
      return queued(await bridge.call('cases.export', body), title, isDownloaded);
    },
    async remove(id) {
      const reply = await bridge.call('archive.cancel_export', { id });
      if (!reply.ok) toasts.show({ kind: 'error', text: errorSentence(reply.error), durationMs: 8000 });
      await load();
    },
  };
}
