/**
 * Groups of folders that import each other, each sorted. The list may only shrink: a new circle is a fault, and a group
 * that became smaller must be written here as it is now.
 */
export const FOLDER_CIRCLES: readonly (readonly string[])[] = [
  [
    'src-renderer/modules/archive',
    'src-renderer/modules/archive/cases',
    'src-renderer/modules/archive/export',
    'src-renderer/modules/archive/marks',
    'src-renderer/modules/archive/play',
    'src-renderer/modules/archive/time',
    'src-renderer/modules/archive/timeline',
  ],
  ['src-renderer/modules/configuration', 'src-renderer/modules/configuration/editor'],
  [
    'src-renderer/modules/wall',
    'src-renderer/modules/wall/cell',
    'src-renderer/modules/wall/editor',
    'src-renderer/modules/wall/keys',
    'src-renderer/modules/wall/layout',
    'src-renderer/modules/wall/notice',
    'src-renderer/modules/wall/overlay',
    'src-renderer/modules/wall/penalty',
    'src-renderer/modules/wall/player',
    'src-renderer/modules/wall/sound',
    'src-renderer/modules/wall/stills',
    'src-renderer/modules/wall/tile',
  ],
  [
    'src-renderer/shell',
    'src-renderer/shell/first-steps',
    'src-renderer/shell/keys',
    'src-renderer/shell/login',
    'src-renderer/shell/notices',
    'src-renderer/shell/palette',
    'src-renderer/shell/preferences',
  ],
];
