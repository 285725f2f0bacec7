import type { KeyGroup } from '../../../ui/keys/key-group.ts';
import { WALL_OVERLAYS, type WallOverlay } from '../../../../src-preload/contract/operations/wall-calls.ts';
import type { Direction, Grid } from '../layout/grid-math.ts';
import { OVERLAY_KEYS } from '../layout/cell-overlays.ts';
import { KEYS, TEXTS } from '../texts.ts';

/** Command of a key. */
export type WallCommand =
  | { readonly do: 'select'; readonly direction: Direction }
  | { readonly do: 'move'; readonly direction: Direction }
  | { readonly do: 'page' | 'group'; readonly by: 1 | -1 }
  | { readonly do: 'pick'; readonly place: number }
  | { readonly do: 'grid'; readonly grid: Grid | null }
  | { readonly do: 'overlay'; readonly overlay: WallOverlay }
  | {
      readonly do:
        | 'solo'
        | 'leave'
        | 'mute'
        | 'mute-all'
        | 'sound-solo'
        | 'sound-follow'
        | 'add'
        | 'remove'
        | 'restart'
        | 'archive'
        | 'acknowledge'
        | 'stills'
        | 'find'
        | 'edit'
        | 'alone'
        | 'undo'
        | 'redo'
        | 'help';
    };

/** Fields of a keyboard event that select the command. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  /** Physical key, independent of the keyboard layout. */
  readonly code?: string;
}

const COMMANDS: Readonly<Record<string, WallCommand>> = {
  ArrowLeft: { do: 'select', direction: 'left' },
  ArrowRight: { do: 'select', direction: 'right' },
  ArrowUp: { do: 'select', direction: 'up' },
  ArrowDown: { do: 'select', direction: 'down' },
  Home: { do: 'select', direction: 'first' },
  End: { do: 'select', direction: 'last' },
  PageDown: { do: 'page', by: 1 },
  PageUp: { do: 'page', by: -1 },
  Enter: { do: 'solo' },
  Escape: { do: 'leave' },
  Delete: { do: 'remove' },
  m: { do: 'mute' },
  s: { do: 'sound-solo' },
  f: { do: 'sound-follow' },
  a: { do: 'add' },
  r: { do: 'restart' },
  d: { do: 'archive' },
  k: { do: 'acknowledge' },
  l: { do: 'edit' },
  v: { do: 'stills' },
  w: { do: 'alone' },
  '/': { do: 'find' },
  g: { do: 'group', by: 1 },
  '?': { do: 'help' },
  ...Object.fromEntries(WALL_OVERLAYS.map((overlay) => [OVERLAY_KEYS[overlay], { do: 'overlay' as const, overlay }])),
};

/** Grids by number key with Shift. */
const GRIDS: readonly (Grid | null)[] = [null, 1, 4, 9, 16];

/** Number keys select sources, as on a router panel; with Shift they set the number of tiles. */
function digitCommand({ key, code = '', shiftKey }: KeyPress): WallCommand | undefined {
  const digit = Number(/^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? (/^\d$/.test(key) ? key : Number.NaN));
  if (Number.isNaN(digit)) return undefined;
  const grid = GRIDS[digit];
  if (grid !== undefined && (shiftKey || digit === 0)) return { do: 'grid', grid };
  return shiftKey ? undefined : { do: 'pick', place: digit };
}

/** Command of a key press; null if the wall does not use the key. */
export function commandOf(press: KeyPress): WallCommand | null {
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if ((press.ctrlKey || press.metaKey) && !press.altKey && key === 'z') return { do: press.shiftKey ? 'redo' : 'undo' };
  if (press.ctrlKey || press.altKey || press.metaKey) return null;
  const byDigit = digitCommand(press);
  if (byDigit) return byDigit;
  if (key === 'm' && press.shiftKey) return { do: 'mute-all' };
  if (key === 'g' && press.shiftKey) return { do: 'group', by: -1 };
  const command = Object.hasOwn(COMMANDS, key) ? (COMMANDS[key] ?? null) : null;
  return press.shiftKey && command?.do === 'select' ? { do: 'move', direction: command.direction } : command;
}

/** Rights of the login. */
interface Rights {
  readonly mayOperate: boolean;
  readonly mayWrite: boolean;
}

/** True if the login may execute the command on the server. */
export function isAllowed(command: WallCommand, { mayOperate, mayWrite }: Rights): boolean {
  if (command.do === 'restart' || command.do === 'acknowledge') return mayOperate;
  return mayWrite || (command.do !== 'add' && command.do !== 'remove');
}

/** Shortcuts of the help, without commands that the login may not execute. */
export function keyHelp({ mayOperate, mayWrite }: Rights): readonly KeyGroup[] {
  const viewKeys: readonly KeyGroup[] = [
    {
      title: KEYS.wall,
      keys: [
        ['1 … 9', KEYS.pick],
        [KEYS.gridKeys, KEYS.grids],
        ['0', KEYS.auto],
        [KEYS.recallKeys, KEYS.recall],
        ['/', KEYS.find],
        [KEYS.groupKeys, KEYS.group],
        ['L', KEYS.layout],
        ['V', KEYS.stills],
        ['W', KEYS.alone],
        [KEYS.moveKeys, KEYS.move],
        [KEYS.undoKeys, KEYS.undo],
        [KEYS.pageKeys, KEYS.pages],
        ['← → ↑ ↓', KEYS.select],
        [KEYS.endKeys, KEYS.ends],
        [KEYS.soloKeys, KEYS.solo],
        ['D', KEYS.archive],
        ['Escape', KEYS.leaveSolo],
      ],
    },
    {
      title: KEYS.overPicture,
      keys: WALL_OVERLAYS.map((overlay) => [OVERLAY_KEYS[overlay].toUpperCase(), TEXTS.overlays[overlay]] as const),
    },
    {
      title: KEYS.sound,
      keys: [
        ['M', KEYS.hear],
        ['S', KEYS.hearOnly],
        ['F', KEYS.follow],
        [KEYS.muteKeys, KEYS.mute],
      ],
    },
    {
      title: KEYS.desk,
      keys: [
        [KEYS.paletteKeys, KEYS.palette],
        ['?', KEYS.keys],
      ],
    },
  ];
  if (!mayOperate) return viewKeys;
  const operate = [
    ['K', KEYS.acknowledge],
    ['R', KEYS.restart],
  ] as const;
  const keys = mayWrite ? ([['A', KEYS.add], ...operate, [KEYS.removeKeys, KEYS.remove]] as const) : operate;
  return [...viewKeys, { title: KEYS.streams, keys }];
}
