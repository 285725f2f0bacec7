import { computed, ref, shallowRef, watch } from 'vue';
import type { MediaInfo } from '../../../src-preload/contract/api/media-info.ts';
import type { ClipFileRow, ClipFit } from '../../../src-preload/contract/operations/clip-calls.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { useBridge } from '../../server/bridge.ts';
import { useBridgeFeed } from '../../server/use-bridge-feed.ts';
import { useCall } from '../../server/use-call.ts';
import { useServerStore } from '../../server/server-store.ts';
import { useStreamsStore } from '../../domain/streams/store.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { fitInput, defaultOptions } from './fit-options.ts';
import { TEXTS } from './texts.ts';
import { useClipJobs } from './use-clip-jobs.ts';
import { useUploads } from './use-uploads.ts';

/** State and calls of the clips page, for use inside a component. */
export function useClips() {
  const bridge = useBridge();
  const call = useCall();
  const server = useServerStore();
  const streams = useStreamsStore();
  const { jobs, refresh: refreshJobs } = useClipJobs();
  const confirm = useConfirmStore();
  const { uploads, add, remove } = useUploads((path) => {
    // The known comparison belongs to the replaced file.
    const next = new Map(fits.value);
    next.delete(path);
    fits.value = next;
    facts.value = new Map([...facts.value].filter(([other]) => other !== path));
    void load().then(() => describe(path));
  });

  const locations = ref<readonly string[]>();
  const target = ref<string | null>(null);
  const location = ref('');
  const folder = ref('');
  const files = shallowRef<readonly ClipFileRow[]>();
  const isMore = ref(false);
  /** Reason why the files of the folder could not be listed; empty if they could. */
  const failure = ref('');
  const search = ref('');
  const selectedStream = ref('');
  const chosen = ref<ReadonlySet<string>>(new Set());
  const fits = ref<ReadonlyMap<string, ClipFit | null>>(new Map());
  const facts = ref<ReadonlyMap<string, MediaInfo | null>>(new Map());
  const previewed = ref('');
  const options = ref(defaultOptions());

  /** Selected stream, or the first one. */
  const stream = computed(() =>
    streams.byName.has(selectedStream.value) ? selectedStream.value : (streams.names[0] ?? ''),
  );
  const isOnAir = computed(() => streams.byName.get(stream.value)?.state.alive === true);
  const mayConform = computed(() => server.may('clips', 'operate') && stream.value !== '' && target.value !== null);
  const found = computed(() => {
    const text = search.value.trim().toLowerCase();
    return (files.value ?? []).filter(({ name }) => name.toLowerCase().includes(text));
  });

  /** Number of the last list request; late answers to earlier requests are dropped. */
  let lastRequest = 0;
  async function load(after = ''): Promise<void> {
    const ownRequest = ++lastRequest;
    const input = { location: location.value, folder: folder.value, after };
    // A failed first page is explained in its place, a later one by a message.
    const reply = after === '' ? await bridge.call('clips.files', input) : undefined;
    const page = reply ? (reply.ok ? reply.value : undefined) : await call('clips.files', input);
    if (ownRequest !== lastRequest) return;
    failure.value = reply?.ok === false ? errorSentence(reply.error) : '';
    files.value = [...(after === '' ? [] : (files.value ?? [])), ...(page?.files ?? [])];
    isMore.value = page?.isMore ?? false;
  }
  async function open(): Promise<void> {
    const reply = await call('clips.locations', {});
    if (!reply) return;
    locations.value = reply.locations;
    target.value = reply.target;
    const isListed = locations.value.includes(location.value);
    if (!isListed) location.value = locations.value[0] ?? '';
    else if (files.value) await load();
  }
  // Also after a reconnection, because the configuration and the files may have changed.
  useBridgeFeed({
    link: ({ phase }) => {
      if (phase === 'live') void open();
    },
  });
  watch([location, folder], ([name], [before]) => {
    if (name !== before) folder.value = '';
    [files.value, chosen.value, failure.value] = [undefined, new Set(), ''];
    facts.value = new Map();
    pending.length = 0;
    if (name !== '') void load();
  });
  watch([stream, isOnAir], ([name], [before]) => {
    if (name !== before) fits.value = new Map();
    for (const path of facts.value.keys()) void describe(path);
  });
  // A finished clip is a new file.
  watch(
    () => jobs.value?.filter(({ status }) => status === 'done').length,
    (now, before) => {
      if (before !== undefined && now !== before && location.value !== '') void load();
    },
  );

  function openFile(file: ClipFileRow): void {
    if (file.isFolder) folder.value = file.path.slice(location.value.length + 1);
    else previewed.value = file.path;
  }
  function choose(paths: readonly string[], isChosen: boolean): void {
    const next = new Set(chosen.value);
    for (const path of paths)
      if (isChosen) next.add(path);
      else next.delete(path);
    chosen.value = next;
  }
  async function compare(paths: Iterable<string>): Promise<void> {
    const name = stream.value;
    // In sequence: each file may need indexing.
    for (const path of paths) {
      fits.value = new Map(fits.value).set(path, null);
      const fit = await call('clips.compare', { path, name });
      if (name !== stream.value) return;
      const next = new Map(fits.value);
      if (fit) next.set(path, fit);
      else next.delete(path);
      fits.value = next;
      if (fit) facts.value = new Map(facts.value).set(path, fit.media_info);
      if (!fit) return;
    }
  }
  /** Visible files that are not described yet. */
  const pending: string[] = [];
  let isDescribing = false;
  /** Describes a visible file, and compares it with the stream if the stream is on air. */
  async function describe(path: string): Promise<void> {
    if (!pending.includes(path)) pending.push(path);
    if (isDescribing) return;
    isDescribing = true;
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      const [name, place] = [stream.value, files.value];
      const comparesNow = isOnAir.value;
      if (comparesNow ? fits.value.has(next) : facts.value.has(next)) continue;
      const reply = await bridge.call('clips.compare', { path: next, ...(comparesNow ? { name } : {}) });
      if (place !== files.value || name !== stream.value) {
        // The answer may be about a replaced file or the stream before. Files of another folder are not listed.
        if (files.value?.some(({ path: listed }) => listed === next)) pending.push(next);
        continue;
      }
      if (!reply.ok) continue;
      facts.value = new Map(facts.value).set(next, reply.value.media_info);
      if (comparesNow) fits.value = new Map(fits.value).set(next, reply.value);
    }
    isDescribing = false;
  }
  async function conform(paths: Iterable<string>, points: object = {}): Promise<void> {
    previewed.value = '';
    const input = { name: stream.value, ...fitInput(options.value), ...points };
    for (const path of paths) if (!(await call('clips.conform', { path, ...input }))) break;
    await refreshJobs();
  }
  async function removeChosen(): Promise<void> {
    const paths = [...chosen.value];
    const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
    if (!(await confirm.requestAnswer({ ...TEXTS.deleteQuestion(names), isDestructive: true }))) return;
    for (const path of paths) {
      if (!(await call('clips.delete', { path }))) break;
      choose([path], false);
    }
    await load();
  }
  async function cancel(id: string): Promise<void> {
    await call('clips.cancel', { id });
    await refreshJobs();
  }
  /** Uploads files to the current folder. */
  function uploadFiles(files: Iterable<File>): void {
    add(files, { location: location.value, folder: folder.value });
  }
  return {
    uploads,
    uploadFiles,
    removeUpload: remove,
    removeChosen,
    options,
    jobs,
    locations,
    target,
    location,
    folder,
    files,
    isMore,
    failure,
    search,
    selectedStream,
    chosen,
    fits,
    facts,
    describe,
    previewed,
    stream,
    mayConform,
    found,
    load,
    openFile,
    choose,
    compare,
    conform,
    cancel,
    streams,
    server,
  };
}
