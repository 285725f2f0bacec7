import type { Direction, Grid } from '../layout/grid-math.ts';

/** What a key asks of the wall. */
export type WallCommand =
  | { readonly do: 'select'; readonly direction: Direction }
  | { readonly do: 'move'; readonly direction: Direction }
  | { readonly do: 'page'; readonly by: 1 | -1 }
  | { readonly do: 'grid'; readonly grid: Grid | null }
  | {
      readonly do:
        'solo' | 'leave' | 'mute' | 'mute-all' | 'sound-solo' | 'sound-follow' | 'add' | 'remove' | 'restart' | 'help';
    };

/** The part of a keyboard event that decides. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
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
  '0': { do: 'grid', grid: null },
  '1': { do: 'grid', grid: 1 },
  '2': { do: 'grid', grid: 4 },
  '3': { do: 'grid', grid: 9 },
  '4': { do: 'grid', grid: 16 },
  m: { do: 'mute' },
  s: { do: 'sound-solo' },
  f: { do: 'sound-follow' },
  a: { do: 'add' },
  r: { do: 'restart' },
  '?': { do: 'help' },
};

/** The command of a key press; null if the wall has no use for the key. */
export function commandOf(press: KeyPress): WallCommand | null {
  if (press.ctrlKey || press.altKey || press.metaKey) return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (key === 'm' && press.shiftKey) return { do: 'mute-all' };
  const command = Object.hasOwn(COMMANDS, key) ? (COMMANDS[key] ?? null) : null;
  return press.shiftKey && command?.do === 'select' ? { do: 'move', direction: command.direction } : command;
}

/** What a login may do on the server. */
interface Rights {
  readonly mayOperate: boolean;
  readonly mayWrite: boolean;
}

/** Whether a login may do what a command does on the server. */
export function isAllowed(command: WallCommand, { mayOperate, mayWrite }: Rights): boolean {
  if (command.do === 'restart') return mayOperate;
  return mayWrite || (command.do !== 'add' && command.do !== 'remove');
}

/** Keys and what they do, under a title. */
interface KeyGroup {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, words: string])[];
}

/** What the help shows. Keys for what the login may not do are not there. */
export function keyHelp({ mayOperate, mayWrite }: Rights): readonly KeyGroup[] {
  if (!mayOperate) return LOOKING;
  const keys = mayWrite ? CHANGING.keys : CHANGING.keys.filter(([key]) => key === RESTART_KEY);
  return [...LOOKING, { ...CHANGING, keys }];
}

const LOOKING: readonly KeyGroup[] = [
  {
    title: 'Wall',
    keys: [
      ['1 2 3 4', '1, 4, 9 or 16 tiles'],
      ['0', 'As many tiles as have the largest pictures'],
      ['F1 to F12', 'Recall a wall that the server keeps'],
      ['Shift ← → ↑ ↓, drag', 'Move the selected tile to another place'],
      ['Page Up / Page Down', 'Page before, page after'],
      ['← → ↑ ↓', 'Move the selection'],
      ['Home / End', 'First tile, last tile'],
      ['Enter, double click', 'Selected tile alone on the wall, and back'],
      ['Escape', 'Back to the wall'],
    ],
  },
  {
    title: 'Sound',
    keys: [
      ['M', 'Sound of the selected tile on or off'],
      ['S', 'Only the sound of the selected tile, and back'],
      ['F', 'Sound follows the selection, on or off'],
      ['Shift M', 'Mute all, and back'],
    ],
  },
  {
    title: 'Desk',
    keys: [
      ['Ctrl K', 'Go to a page or a stream, or do a thing'],
      ['?', 'Show these keys'],
    ],
  },
];

const RESTART_KEY = 'R';
const CHANGING: KeyGroup = {
  title: 'Streams',
  keys: [
    ['A', 'Add a stream'],
    [RESTART_KEY, 'Restart the selected stream'],
    ['Delete', 'Remove the selected stream'],
  ],
};
