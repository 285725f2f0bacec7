import { contentKey } from '../catalog/block-ranges.ts';
import type { TimeRange } from '../catalog/catalog-store.ts';
import type { BlockPlace } from './block-transfer.ts';

/**
 * How a disk of a storage is used: `normal` is written; `keep` and `readonly` are played only; from `migrate` everything is moved to other disks, from `rescue` it is
 * copied and stays; `abandon` does not count any more.
 */
export type DiskMode = 'normal' | 'keep' | 'readonly' | 'migrate' | 'rescue' | 'abandon';

/** A disk of a storage. */
interface StorageDisk {
  readonly folder: string;
  readonly mode: DiskMode;
}

/** A storage as copies see it. */
export interface CopiedStorage {
  readonly name: string;
  readonly disks: readonly StorageDisk[];
  /** How many copies there are of each block beside the block itself; default 0. */
  readonly copies?: number;
  /** Up to which use a disk is filled, in percent; default 100. */
  readonly mostUsedPercent?: number;
  /** Whether each disk has to be a mount point; default false. */
  readonly mustBeMounted?: boolean;
}

/** A block as the catalog has it, with the size that distinguishes copies of it from other blocks of the same time. */
export interface PlacedBlock extends BlockPlace, TimeRange {
  readonly sizeBytes: number;
}

/** What is to be done with a block. */
export interface BlockPlan {
  /** Where it is read from, the best place first. */
  readonly sources: readonly PlacedBlock[];
  /** How many more disks are to have it. */
  readonly missing: number;
  /** Disks that have it already. */
  readonly taken: ReadonlySet<string>;
  /** Where it is removed once enough other disks have it. */
  readonly moved: readonly PlacedBlock[];
  /** Where it does not count any more. */
  readonly forgotten: readonly PlacedBlock[];
}

/** Whether something of a storage may have to be copied, moved or forgotten at all. */
export function isCopied({ copies = 0, disks }: CopiedStorage): boolean {
  return copies > 0 || disks.some(({ mode }) => mode === 'migrate' || mode === 'rescue' || mode === 'abandon');
}

/** The blocks of a time with all their copies, in the order in which they came. */
export function groupCopies<Block extends TimeRange & { readonly sizeBytes: number }>(
  blocks: readonly Block[],
): readonly (readonly Block[])[] {
  const groups = new Map<string, Block[]>();
  for (const block of blocks) {
    const key = contentKey(block);
    const group = groups.get(key);
    if (group) group.push(block);
    else groups.set(key, [block]);
  }
  return [...groups.values()];
}

/** Modes whose blocks stay where they are and count as kept. */
const STAYING: ReadonlySet<DiskMode> = new Set(['normal', 'keep', 'readonly']);
const ORDER: readonly DiskMode[] = ['normal', 'keep', 'readonly', 'migrate', 'rescue'];

/** What is to be done with a block. @param group all its copies @param isThere whether the disk of a copy has the file */
export function planBlock(
  { copies = 0, disks }: CopiedStorage,
  group: readonly PlacedBlock[],
  isThere: (place: PlacedBlock) => boolean,
): BlockPlan {
  const modes = new Map(disks.map(({ folder, mode }) => [folder, mode]));
  const known = group.filter(({ disk }) => modes.has(disk));
  const modeOf = ({ disk }: PlacedBlock): DiskMode => modes.get(disk) ?? 'keep';
  const forgotten = known.filter((place) => modeOf(place) === 'abandon');
  const present = known.filter((place) => modeOf(place) !== 'abandon' && isThere(place));
  const staying = present.filter((place) => STAYING.has(modeOf(place)));
  const isLeaving = present.length > staying.length;
  // What lies on a disk that is only kept is kept as it was recorded, unless copies are wanted.
  const wanted = copies > 0 || isLeaving ? 1 + copies : 0;
  return {
    sources: present.toSorted((a, b) => ORDER.indexOf(modeOf(a)) - ORDER.indexOf(modeOf(b))),
    missing: present.length === 0 ? 0 : Math.max(0, wanted - staying.length),
    taken: new Set(present.map(({ disk }) => disk)),
    moved: present.filter((place) => modeOf(place) === 'migrate'),
    forgotten,
  };
}
