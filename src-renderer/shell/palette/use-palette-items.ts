import { computed, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { useStreamsStore } from '../../modules/streams/store.ts';
import { useWallStore } from '../../modules/wall/store.ts';
import { useServerStore } from '../../server/server-store.ts';
import { MODULES } from '../desk-modules.ts';
import { useShellDialogs } from '../shell-dialogs.ts';
import type { PaletteItem } from './palette-items.ts';

/** What the desk can be asked for: pages, things to do, and each stream on the wall and in the log. */
export function usePaletteItems(): ComputedRef<readonly PaletteItem[]> {
  const router = useRouter();
  const streams = useStreamsStore();
  const wall = useWallStore();
  const server = useServerStore();
  const dialogs = useShellDialogs();

  const pages = MODULES.map(({ name, title }): PaletteItem => ({
    ...{ key: `page ${name}`, title, hint: 'Page' },
    run: () => void router.push({ name }),
  }));
  const acts = computed((): PaletteItem[] => [
    { key: 'mute', title: 'Mute all, and back', hint: 'Sound', run: () => wall.toggleAllMuted() },
    { key: 'preferences', title: 'Preferences', hint: 'Colours of the desk', run: () => dialogs.show('preferences') },
    { key: 'notices', title: 'Notices', hint: 'What the desk said', run: () => dialogs.show('notices') },
    ...(server.mayWrite
      ? [
          { key: 'add', title: 'Add stream', hint: 'Streams', run: () => void addStream() },
          {
            key: 'first-steps',
            title: 'First steps',
            hint: 'Set up the server',
            run: () => dialogs.show('first-steps'),
          },
        ]
      : []),
  ]);
  const ofStreams = computed(() =>
    [...streams.byName.values()].flatMap(({ state: { name, title } }): PaletteItem[] => [
      {
        ...{ key: `wall ${name}`, title: name, hint: title ? `Stream, ${title}` : 'Stream' },
        run: () => void router.push({ name: 'wall', query: { solo: name } }),
      },
      {
        ...{ key: `log ${name}`, title: `${name}: log`, hint: 'Log of a stream' },
        run: () => void router.push({ name: 'log', query: { media: name } }),
      },
      {
        ...{ key: `stream ${name}`, title: `${name}: inputs and addresses`, hint: 'Details of a stream' },
        run: () => void router.push({ name: 'streams', query: { name } }),
      },
    ]),
  );

  async function addStream(): Promise<void> {
    await router.push({ name: 'wall' });
    streams.setAddOpen(true);
  }
  return computed(() => [...pages, ...acts.value, ...ofStreams.value]);
}
