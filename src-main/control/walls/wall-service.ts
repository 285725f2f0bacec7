import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { WALLS_MAX, wallSchema, type Wall, type WallTile } from '../../../src-preload/contract/wall-calls.ts';
import type { Caller } from '../../operators/caller.ts';
import { isInScope } from '../../operators/require.ts';
import { TileLabels } from './tile-labels.ts';

/** Where walls are kept, as texts by their names. */
interface WallStore {
  /** All of them, in the order in which they came first. */
  all(): readonly string[];
  /** Puts all of these in, each in the place of what it was before, or none. */
  put(texts: ReadonlyMap<string, string>): void;
  remove(name: string): void;
}

/** The stream or group that a cell shows; undefined where it is of none. */
function streamsOf(tile: WallTile): string | undefined {
  if (tile.kind === 'group') return tile.prefix;
  return 'stream' in tile ? tile.stream : undefined;
}

/** The walls that all desks of this server share. */
export class WallService {
  /** What production systems say of streams. */
  readonly labels = new TileLabels();
  readonly #store: WallStore | undefined;

  /** @param store undefined where they cannot be kept */
  constructor(store: WallStore | undefined) {
    this.#store = store;
  }

  /** The walls with what the caller may see of them; none where they cannot be kept. */
  list(caller: Pick<Caller, 'prefixes'>): Wall[] {
    const walls = this.#all();
    if (caller.prefixes === undefined) return walls;
    return walls.flatMap((wall) => {
      const streams = wall.streams.filter((name) => isInScope(caller, name));
      const cells = wall.cells.filter(({ tile }) => isInScope(caller, streamsOf(tile) ?? caller.prefixes?.[0] ?? ''));
      const isSeen = streams.length > 0 || cells.some(({ tile }) => streamsOf(tile) !== undefined);
      return isSeen ? [{ ...wall, streams, cells }] : [];
    });
  }

  /** Keeps a wall, in the place of one with its name; another with its key loses that. Raises `too_many_walls`, `unavailable`. */
  save(wall: Wall): void {
    const store = this.#kept();
    const others = this.#all().filter(({ name }) => name !== wall.name);
    if (others.length >= WALLS_MAX)
      throw new AirdeskError('too_many_walls', `There are ${WALLS_MAX} walls. Remove one first`, { parameter: 'name' });
    const bereft = others.filter(({ key }) => key !== null && key === wall.key).map((one) => ({ ...one, key: null }));
    store.put(new Map([...bereft, wall].map((one) => [one.name, JSON.stringify(one)])));
  }

  /** Has windows show a wall. Raises `not_found`. @param window only those of this name; all without it */
  recall(caller: Pick<Caller, 'prefixes'>, name: string, window?: string): void {
    if (!this.list(caller).some((wall) => wall.name === name))
      throw new AirdeskError('not_found', `There is no wall ${name.slice(0, 60)}`);
    this.labels.recall(name, window);
  }

  /** Removes a wall; one that is not there is removed already. Raises `unavailable`. */
  remove(name: string): void {
    this.#kept().remove(name);
  }

  #kept(): WallStore {
    if (this.#store) return this.#store;
    throw new AirdeskError('unavailable', 'Walls are not kept, because the database cannot be opened');
  }

  #all(): Wall[] {
    // One that this version cannot read is left as it is.
    return (this.#store?.all() ?? []).flatMap((text) => {
      const wall = wallSchema.safeParse(JSON.parse(text));
      return wall.success ? [wall.data] : [];
    });
  }
}
