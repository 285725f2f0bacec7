import { useEventListener } from '@vueuse/core';
import { nextTick } from 'vue';
import { useServerStore } from '../../../server/server-store.ts';
import { useOverlayStore } from '../../../ui/overlay-store.ts';
import { useAlarmsStore, isOpen } from '../../../domain/alarms/store.ts';
import { useAlarmActions } from '../../../domain/alarms/use-alarm-actions.ts';
import { useStreamsStore } from '../../../domain/streams/store.ts';
import { commandOf, isAllowed } from './keyboard-map.ts';
import type { WallCommand } from './keyboard-map.ts';
import { useWallAlone } from '../grid/use-wall-alone.ts';
import { wallOfKey } from '../grid/wall-key.ts';
import { useWallsStore } from '../grid/walls-store.ts';
import { usePicturesStore } from '../stills/pictures-store.ts';
import { useWallStore } from '../store.ts';
import type { ActOnTile } from '../tile/use-tile-actions.ts';

/** Handles the keys of the wall. Dialogs, menus and text fields keep their own keys. */
export function useWallKeys(act: ActOnTile): void {
  const wall = useWallStore();
  const pictures = usePicturesStore();
  const walls = useWallsStore();
  const streams = useStreamsStore();
  const overlays = useOverlayStore();
  const server = useServerStore();
  const alone = useWallAlone();
  const alarms = useAlarmsStore();
  const alarmActions = useAlarmActions();

  function run(command: WallCommand): void {
    const selected = wall.selected;
    switch (command.do) {
      case 'select':
        wall.step(command.direction);
        return void showSelected();
      case 'move':
        wall.move(command.direction);
        return void showSelected();
      case 'pick':
        wall.pick(command.place);
        return void showSelected();
      case 'page':
        return wall.setPage(wall.page + command.by);
      case 'grid':
        return wall.setGrid(command.grid);
      case 'overlay':
        return wall.toggleOverlay(command.overlay);
      case 'solo':
        return wall.toggleSolo(selected);
      case 'leave':
        return wall.leaveSolo();
      case 'mute-all':
        return wall.toggleAllMuted();
      case 'sound-follow':
        return wall.toggleFollow();
      case 'add':
        return streams.setAddOpen(true);
      case 'group':
        return wall.stepGroup(command.by);
      case 'find':
        return wall.setFinding(true);
      case 'stills':
        return pictures.toggleStills();
      case 'alone':
        return alone.toggle();
      case 'edit':
        return wall.setEditing(true);
      case 'undo':
        return wall.undo();
      case 'redo':
        return wall.redo();
      case 'help':
        return wall.setHelpOpen(true);
      default:
        // A named wall has places of absent streams.
        if (selected !== null && streams.byName.has(selected)) runOnTile(command.do, selected);
    }
  }

  function runOnTile(
    action: 'mute' | 'sound-solo' | 'acknowledge' | 'remove' | 'restart' | 'archive',
    name: string,
  ): void {
    if (action === 'mute' || action === 'sound-solo') {
      // A stream without audio cannot be unmuted.
      if (!wall.isAudible(name) && !streams.isAudible(name)) return;
      if (action === 'mute') wall.toggleSound(name);
      else wall.toggleSoloSound(name);
    } else if (action === 'acknowledge') void acknowledge(name);
    else void act(name, action);
  }

  async function acknowledge(name: string): Promise<void> {
    const open = alarms.byStream.get(name)?.filter(isOpen) ?? [];
    if (open.length > 0) await alarmActions.acknowledge(open, '');
  }

  const rights = (): Parameters<typeof isAllowed>[1] => ({
    mayOperate: server.may('streams', 'operate'),
    mayWrite: server.may('streams', 'edit'),
  });

  useEventListener(document, 'keydown', (event) => {
    if (overlays.isAnyOpen || (event.repeat && !event.key.startsWith('Arrow'))) return;
    const recalled = hasModifier(event) ? undefined : wallOfKey(walls.list, event.key);
    if (recalled) {
      event.preventDefault();
      return wall.recall(recalled);
    }
    const command = commandOf(event);
    if (!command || isTyping(event.target, command) || !isAllowed(command, rights())) return;
    event.preventDefault();
    run(command);
  });
}

function hasModifier({ ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey || shiftKey;
}

/** Scrolls to the selected tile if the tiles are taller than the window. */
async function showSelected(): Promise<void> {
  await nextTick();
  document.querySelector('article[aria-current=true]')?.scrollIntoView({ block: 'nearest' });
}

function isTyping(target: EventTarget | null, command: WallCommand): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches('input, textarea, select')) return true;
  // Enter on a focused button presses that button.
  return command.do === 'solo' && target.matches('button, a');
}
