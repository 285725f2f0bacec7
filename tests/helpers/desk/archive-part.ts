import type { VueWrapper } from '@vue/test-utils';
import { defineComponent, h, type Component } from 'vue';
import type { ArchiveContext } from '../../../src-renderer/modules/archive/play/archive-context.ts';
import { frameRateOf } from '../../../src-renderer/modules/archive/time-code.ts';
import { gapOf } from '../../../src-renderer/modules/archive/play/play-window.ts';
import { useArchiveStore } from '../../../src-renderer/modules/archive/store.ts';
import { provideArchive } from '../../../src-renderer/modules/archive/play/use-archive-context.ts';
import type { TestDesk } from './test-desk.ts';

/** Part of the archive page with its inputs, and a player at a time set by a test. */
export interface ArchivePart {
  readonly page: VueWrapper;
  readonly context: ArchiveContext;
  readonly shown: { at: number };
}

/** Mounts a part of the archive page. @param at time shown by the player of `cam1`, in epoch milliseconds */
export function mountArchivePart(desk: TestDesk, part: Component, props: object, at: number): ArchivePart {
  const shown = { at };
  let context: ArchiveContext | undefined;
  const page = defineComponent(() => {
    context = provideArchive();
    const archive = useArchiveStore();
    context.group.setMembers([
      {
        name: 'cam1',
        gapAt(ms) {
          const recorded = archive.recorded.get('cam1');
          return recorded && gapOf(ms, { nowMs: Date.now(), isOnAir: false, recorded });
        },
        video: document.createElement('video'),
        player: {
          state: 'ready',
          isLive: false,
          frameRate: frameRateOf(25),
          goLive: () => undefined,
          step: (frames: number) => void (shown.at += frames * 40),
          get atMs() {
            return shown.at;
          },
          get frameAtMs() {
            return shown.at;
          },
          frame: async () => shown.at,
          seek: (ms: number) => void (shown.at = ms),
        },
      },
    ]);
    return () => h(part, props);
  });
  const mounted = desk.mount(page, { isAttached: true });
  if (!context) throw new Error('the part was not made');
  return { page: mounted, context, shown };
}
