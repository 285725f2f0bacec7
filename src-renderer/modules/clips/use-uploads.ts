import { onScopeDispose, ref, type Ref } from 'vue';
import { useBridge } from '../../server/bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { joinAddress } from '../../lib/format.ts';
import { useServerStore } from '../../server/server-store.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { sendFile, type SendFile } from './send-file.ts';
import { TEXTS } from './texts.ts';

/** Upload to the server. */
export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly sizeBytes: number;
  state: 'waiting' | 'sending' | 'done' | 'failed';
  /** Part that was sent, 0 to 1. */
  progress: number;
  /** Reason of the failure. */
  problem: string;
}

/** Destination of a file. */
interface Place {
  readonly location: string;
  readonly folder: string;
}

/**
 * Uploads files one at a time while the component is mounted.
 *
 * @param arrived called with the location and path of a file after its upload
 */
export function useUploads(
  arrived: (path: string) => void,
  send: SendFile = sendFile,
): {
  readonly uploads: Ref<Upload[]>;
  add(files: Iterable<File>, place: Place): void;
  /** Aborts a running upload, and removes it from the list. */
  remove(id: number): void;
} {
  const bridge = useBridge();
  const server = useServerStore();
  const confirm = useConfirmStore();
  const uploads = ref<Upload[]>([]);
  const stops = new Map<number, AbortController>();
  let lastId = 0;
  let queue: Promise<void> = Promise.resolve();

  function add(files: Iterable<File>, place: Place): void {
    for (const file of files) {
      const id = ++lastId;
      uploads.value.push({ id, name: file.name, sizeBytes: file.size, state: 'waiting', progress: 0, problem: '' });
      queue = queue.then(async () => runUpload(id, file, place));
    }
  }
  async function runUpload(id: number, file: File, place: Place): Promise<void> {
    const upload = uploads.value.find((one) => one.id === id);
    if (!upload) return;
    const stop = new AbortController();
    stops.set(id, stop);
    upload.state = 'sending';
    upload.problem = (await transfer(file, place, upload, stop.signal)) ?? '';
    upload.state = upload.problem === '' ? 'done' : 'failed';
    stops.delete(id);
    if (upload.state === 'done') arrived([place.location, place.folder, file.name].filter(Boolean).join('/'));
  }
  /** Uploads a file. Resolves to the reason of the failure; null after a success. */
  async function transfer(file: File, place: Place, upload: Upload, signal: AbortSignal): Promise<string | null> {
    const input = { ...place, name: file.name, sizeBytes: file.size };
    let reply = await bridge.call('clips.upload', { ...input, mayReplace: false });
    if (!reply.ok && reply.error.code === 'vod_file_exists') {
      const mayReplace = await confirm.requestAnswer({ ...TEXTS.replaceQuestion(file.name), isDestructive: true });
      if (!mayReplace) return TEXTS.notReplaced;
      reply = await bridge.call('clips.upload', { ...input, mayReplace });
    }
    if (!reply.ok) return errorSentence(reply.error);
    if (signal.aborted) return TEXTS.uploadCancelled;
    const address = joinAddress(server.mediaBase, reply.value.path.replace(/^\//, ''));
    return send(address, file, (progress) => (upload.progress = progress), signal);
  }
  function remove(id: number): void {
    stops.get(id)?.abort();
    uploads.value = uploads.value.filter((one) => one.id !== id);
  }
  onScopeDispose(() => {
    uploads.value = [];
    for (const stop of stops.values()) stop.abort();
  });
  return { uploads, add, remove };
}
