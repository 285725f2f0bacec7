import type { KeyGroup } from '../../ui/keys/key-group.ts';
import { KEYS } from './texts.ts';

/** Pages with a table that can be navigated by keys. */
const TABLES: ReadonlySet<string> = new Set(['streams', 'log', 'sessions', 'subscribers']);

/** Keys of a page and of all pages, without the actions that the login may not perform. @param page name of its module */
export function pageKeys(page: string, { mayOperate }: { readonly mayOperate: boolean }): readonly KeyGroup[] {
  const everywhere: KeyGroup = {
    title: KEYS.everywhere,
    keys: [
      [KEYS.paletteKeys, KEYS.palette],
      ['Tab', KEYS.tab],
      ['Escape', KEYS.escape],
      ['?', KEYS.keys],
    ],
  };
  if (page === 'alarms' && mayOperate) {
    const keys = [
      ['K', KEYS.acknowledge],
      [KEYS.acknowledgeAllKeys, KEYS.acknowledgeAll],
    ] as const;
    return [{ title: KEYS.alarms, keys }, everywhere];
  }
  if (page === 'archive') return [...archiveKeys(mayOperate), everywhere];
  if (!TABLES.has(page)) return [everywhere];
  const table: KeyGroup = {
    title: KEYS.table,
    keys: [['↑ ↓', KEYS.rows], ['Escape', KEYS.leaveRow], ...(page === 'log' ? ([['T', KEYS.time]] as const) : [])],
  };
  return [table, everywhere];
}

function archiveKeys(mayOperate: boolean): readonly KeyGroup[] {
  const operate = [
    ['M', KEYS.note],
    ['E', KEYS.export],
    ['C', KEYS.toCase],
  ] as const;
  return [
    {
      title: KEYS.play,
      keys: [
        [KEYS.spaceKey, KEYS.toggle],
        ['J K L', KEYS.shuttle],
        ['← →', KEYS.frame],
        [KEYS.secondKeys, KEYS.second],
        [KEYS.pageKeys, KEYS.minute],
        [KEYS.homeKey, KEYS.first],
        [KEYS.endKey, KEYS.live],
        ['T', KEYS.time],
        ['↑ ↓', KEYS.marks],
      ],
    },
    {
      title: KEYS.timeline,
      keys: [
        ['+ −', KEYS.zoom],
        ['A', KEYS.all],
      ],
    },
    {
      title: KEYS.selection,
      keys: [
        ['I O', KEYS.inOut],
        [KEYS.goInOutKeys, KEYS.goInOut],
        ['X', KEYS.clear],
        ['Q', KEYS.loop],
        ['S', KEYS.snapshot],
        ...(mayOperate ? operate : []),
        [KEYS.casesKeys, KEYS.cases],
      ],
    },
  ];
}
