import { useRouter } from 'vue-router';
import { joinAddress } from '../../../lib/format.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import { useArchiveStore } from '../store.ts';
import { SELECTION_TEXTS as TEXTS } from '../../../domain/archive/selection-texts.ts';
import { frameRateOf, printTimeCode, type FrameRate } from '../time-code.ts';
import { archiveQuery } from '../../../domain/archive/archive-query.ts';
import { useArchiveContext } from '../play/use-archive-context.ts';

/** Actions on the current picture. */
export interface Selection {
  rate(): FrameRate;
  setIn(): Promise<void>;
  setOut(): Promise<void>;
  seekIn(): void;
  seekOut(): void;
  clear(): void;
  snapshot(): void;
  copyLink(): Promise<void>;
  copyCode(): Promise<void>;
}

/** In and out points, snapshots and links, for use inside a component of the archive page. */
export function useSelection(): Selection {
  const archive = useArchiveStore();
  const context = useArchiveContext();
  const router = useRouter();
  const toasts = useToastStore();
  const player = (): (typeof context.group.members)[number]['player'] | undefined => context.group.leader?.player;
  const rate = (): FrameRate => player()?.frameRate ?? frameRateOf(undefined);

  async function copy(text: string): Promise<void> {
    const isDone = await copyText(text);
    toasts.show({ kind: isDone ? 'info' : 'error', text: isDone ? TEXTS.copied : TEXTS.notCopied, durationMs: 3000 });
  }
  return {
    rate,
    async setIn() {
      const at = await player()?.frame();
      if (at !== undefined) archive.setIn(at);
    },
    async setOut() {
      const at = await player()?.frame();
      if (at !== undefined) archive.setOut(at + rate().frameMs);
    },
    seekIn() {
      if (archive.inMs !== null) context.seek(archive.inMs + rate().frameMs / 4);
    },
    seekOut() {
      if (archive.outMs !== null) context.seek(archive.outMs - rate().frameMs / 2);
    },
    clear() {
      archive.setIn(null);
      archive.setOut(null);
      archive.setLooping(false);
    },
    snapshot() {
      for (const { name, player: one } of context.group.members) {
        const at = one.frameAtMs;
        if (at === undefined) continue;
        const link = document.createElement('a');
        // Inside the picture, because its start is rounded.
        const seconds = ((at + rate().frameMs / 4) / 1000).toFixed(3);
        link.href = context.addressOf(name, `${seconds}.jpg`);
        link.download = `${name.replaceAll('/', '-')}-${new Date(at).toISOString().replaceAll(':', '-')}.jpg`;
        link.target = '_blank';
        link.click();
      }
    },
    async copyLink() {
      const at = player()?.frameAtMs ?? null;
      const path = router.resolve({
        name: 'archive',
        query: archiveQuery(archive.names, at === null ? null : Math.ceil(at)),
      });
      await copy(joinAddress(location.href.split('#', 1)[0] ?? '', path.href));
    },
    async copyCode() {
      const at = player()?.frameAtMs;
      if (at !== undefined) await copy(printTimeCode(at, rate(), archive.zone));
    },
  };
}
