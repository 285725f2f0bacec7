import { posix } from 'node:path';
import { textOf } from './source-files.ts';

/** Row of the layer table: a room, or a single file. */
export interface Room {
  readonly name: string;
  readonly rank: number;
  readonly mayImport: readonly string[];
}

/** Reads the layer table of `src-main/README.md`: rank, room, may import. Names are in backquotes. */
export function readLayerTable(markdown: string): Room[] {
  const rooms: Room[] = [];
  for (const line of markdown.split('\n')) {
    const cells = /^\|\s*(\d+)\s*\|([^|]*)\|([^|]*)\|/.exec(line);
    if (!cells) continue;
    const names = (text: string | undefined): string[] =>
      [...(text ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    const [name] = names(cells[2]);
    if (name) rooms.push({ name, rank: Number(cells[1]), mayImport: names(cells[3]) });
  }
  return rooms;
}

/** Rooms of Airdesk. */
export const ROOMS: readonly Room[] = readLayerTable(textOf('src-main/README.md'));

/** Room that every other may import: codes and sentences of errors, which have no behaviour. */
const EVERYWHERE = 'explanations';

/** Room of the pages of the desk, which consists of modules. */
const MODULES = 'desk/modules';

function moduleOf(path: string): string | undefined {
  return path.split('/')[2];
}

/** Room of a file, by its path from the root; undefined for files in no room (tests, scripts). */
function roomOf(path: string): string | undefined {
  const parts = path.split('/');
  switch (parts[0]) {
    case 'src-main':
      return parts[1];
    case 'src-preload':
      if (parts[1] !== 'contract') return 'preload';
      return parts[2] === EVERYWHERE ? EVERYWHERE : 'contract';
    case 'src-renderer':
      return parts.length > 2 ? `desk/${parts[1] ?? ''}` : 'renderer';
    default:
      return undefined;
  }
}

/** Fault of an import by a room; undefined if it is allowed. */
export function judgeImport(from: string, specifier: string, rooms: readonly Room[]): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''));
  const fromRoom = roomOf(from);
  const toRoom = roomOf(target);
  if (fromRoom === MODULES && toRoom === MODULES && moduleOf(from) !== moduleOf(target))
    return `${from} imports ${specifier}: modules do not import each other`;
  if (fromRoom === undefined || fromRoom === toRoom || toRoom === EVERYWHERE) return undefined;
  if (toRoom === undefined) return `${from} imports ${specifier}, which is no room`;
  const room = rooms.find((candidate) => candidate.name === fromRoom);
  if (!room) return `${from} is in no room of the layer table`;
  if (room.mayImport.includes(toRoom)) return undefined;
  return `${from} imports ${specifier}: ${fromRoom} may import ${room.mayImport.join(', ') || 'nothing'}, not ${toRoom}`;
}
