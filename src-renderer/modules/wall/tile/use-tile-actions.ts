import { useRouter } from 'vue-router';
import { joinAddress } from '../../../lib/format.ts';
import { useServerStore } from '../../../server/server-store.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import { archiveQuery } from '../../../domain/archive/archive-query.ts';
import { useStreamsStore } from '../../../domain/streams/store.ts';
import { useStreamActions } from '../../../domain/streams/use-stream-actions.ts';
import { useWallStore } from '../store.ts';
import { TEXTS } from '../texts.ts';
import type { TileAction } from './TileActions.vue';

/** Runs an action of a tile on its stream; does nothing if the stream is gone. */
export type ActOnTile = (name: string, action: TileAction) => Promise<void>;

/** Approximate delay of a tile's picture, in milliseconds. */
const TILE_DELAY_MS = 2000;

/** Tile actions, for use inside a component. */
export function useTileActions(): ActOnTile {
  const router = useRouter();
  const wall = useWallStore();
  const streams = useStreamsStore();
  const server = useServerStore();
  const toasts = useToastStore();
  const actions = useStreamActions();

  async function copy(text: string, hint = ''): Promise<void> {
    const isCopied = await copyText(text);
    const message = hint === '' ? text : `${text} – ${hint}`;
    toasts.show({
      kind: isCopied ? 'info' : 'error',
      text: isCopied ? TEXTS.copied(message) : TEXTS.copyByHand(message),
      durationMs: isCopied && hint === '' ? 3_000 : 15_000,
    });
  }

  return async (name, action) => {
    const state = streams.byName.get(name)?.state;
    if (!state) return;
    switch (action) {
      case 'solo':
        return wall.toggleSolo(name);
      case 'restart':
        return actions.restart(name);
      case 'remove':
        return actions.remove(name);
      case 'open-player':
        window.open(joinAddress(server.mediaBase, state.playback.embed), '_blank', 'noopener');
        return;
      case 'details':
        await router.push({ name: 'streams', query: { name } });
        return;
      case 'automatic':
        return actions.selectInput(name, null);
      case 'archive': {
        // The picture of the tile is slightly late.
        const at = Date.now() + server.clockOffsetMs - TILE_DELAY_MS;
        await router.push({ name: 'archive', query: archiveQuery([name], at) });
        return;
      }
      case 'copy-publish':
        return copy(state.publish_urls[0] ?? '', state.publish_password ? TEXTS.needsPassword : '');
      case 'copy-hls':
        return copy(joinAddress(server.mediaBase, state.playback.hls));
      case 'copy-dash':
        return copy(joinAddress(server.mediaBase, state.playback.dash));
      default:
        return actions.selectInput(name, Number(action.slice('take-'.length)));
    }
  };
}
