import type { ArchiveContext } from '../play/archive-context.ts';
import { shuttled } from '../play/play-group.ts';
import { useArchiveStore } from '../store.ts';
import { useArchiveKeys } from '../use-archive-keys.ts';

/** Timeline and time field, as far as keys use them. */
export interface PlayKeyTargets {
  zoom(factor: number): void;
  showAll(): void;
  type(): void;
}

const SECOND_MS = 1000;

/** Playback keys, for use inside a component: J-K-L, frame step, jumps and zoom. */
export function usePlayKeys(context: ArchiveContext, targets: PlayKeyTargets): void {
  const archive = useArchiveStore();
  const { group } = context;
  const step = (ms: number): void => {
    if (group.atMs !== undefined) context.seek(group.atMs + ms);
  };
  useArchiveKeys({
    ' ': () => group.toggle(),
    k: () => group.setSpeed(0),
    j: () => group.setSpeed(shuttled(group.speed, -1)),
    l: () => group.setSpeed(shuttled(group.speed, 1)),
    arrowleft: () => group.step(-1),
    arrowright: () => group.step(1),
    'shift+arrowleft': () => step(-SECOND_MS),
    'shift+arrowright': () => step(SECOND_MS),
    pageup: () => step(-60 * SECOND_MS),
    pagedown: () => step(60 * SECOND_MS),
    home: () => archive.extent && context.seek(archive.extent.from),
    end: () => context.goLive(),
    '+': () => targets.zoom(2),
    '=': () => targets.zoom(2),
    '-': () => targets.zoom(0.5),
    a: () => targets.showAll(),
    t: () => targets.type(),
  });
}
