/** Drawings in a field of 24 × 24, as paths. Each state has a shape of its own, so that colour is never alone. */
export const ICON_SHAPES = {
  live: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18z',
  late: 'M12 2 L23 21 H1 Z',
  lost: 'M5 2 L12 9 L19 2 L22 5 L15 12 L22 19 L19 22 L12 15 L5 22 L2 19 L9 12 L2 5 Z',
  failed: 'M5 2 L12 9 L19 2 L22 5 L15 12 L22 19 L19 22 L12 15 L5 22 L2 19 L9 12 L2 5 Z',
  refused: 'M2 5h20v14H2z M6 10.500v3h12v-3z',
  waiting: 'M12 2 L22 12 L12 22 L2 12 Z M12 7 L7 12 L12 17 L17 12 Z',
  starting: 'M12 2a10 10 0 1 0 0 20a10 10 0 0 0 0-20z M12 7a5 5 0 1 1 0 10a5 5 0 0 1 0-10z',
  unknown:
    'M12 2a6.500 6.500 0 0 1 2 12.700V16h-4v-4.500h2a2.500 2.500 0 1 0-2.500-2.500h-4A6.500 6.500 0 0 1 12 2z M10 18h4v4h-4z',
  sound:
    'M3 9h4l6-5v16l-6-5H3z M16 7.5a6 6 0 0 1 0 9l-1.3-1.5a4 4 0 0 0 0-6z M18.6 4.6a10 10 0 0 1 0 14.8l-1.4-1.5a8 8 0 0 0 0-11.8z',
  silent:
    'M3 9h4l6-5v16l-6-5H3z M16 9l1.4-1.4L20 10.2l2.6-2.6L24 9l-2.6 2.6L24 14.200l-1.400 1.400L20 13l-2.600 2.600L16 14.200l2.600-2.600z',
  solo: 'M3 3h7v2.500H5.500V10H3z M14 3h7v7h-2.500V5.500H14z M3 14h2.500v4.500H10V21H3z M18.500 14H21v7h-7v-2.500h4.500z',
  restart: 'M12 4a8 8 0 1 1-7.700 10.200l2.400-.7A5.500 5.500 0 1 0 12 6.500V10L6.500 5.250L12 .5z',
  remove: 'M8 2h8v2h5v2.500H3V4h5z M5 8h14l-1 14H6z',
  more: 'M5 10a2 2 0 1 0 0 4a2 2 0 0 0 0-4z M12 10a2 2 0 1 0 0 4a2 2 0 0 0 0-4z M19 10a2 2 0 1 0 0 4a2 2 0 0 0 0-4z',
  add: 'M10.500 3h3v7.500H21v3h-7.500V21h-3v-7.500H3v-3h7.500z',
  wall: 'M2 4h9v7H2z M13 4h9v7h-9z M2 13h9v7H2z M13 13h9v7h-9z',
  streams: 'M2 3h20v5H2z M4.500 4.500v2h2v-2z M2 9.500h20v5H2z M4.500 11v2h2v-2z M2 16h20v5H2z M4.500 17.500v2h2v-2z',
  sessions: 'M2 3h20v13H2z M4.500 5.500v8h15v-8z M7 18.500h10V21H7z M10 6.800v5.400l4.600-2.700z',
  alarms:
    'M12 2a6.500 6.500 0 0 0-6.500 6.500V14L3 17.500h18L18.500 14V8.500A6.500 6.500 0 0 0 12 2z M9.500 19a2.500 2.500 0 0 0 5 0z',
  breaks: 'M2 8h6v8H2z M16 8h6v8h-6z M9.500 3h1.600v18H9.500z M12.900 3h1.600v18h-1.600z',
  clips:
    'M2 4h20v16H2z M5 6.500v2h2v-2z M5 11v2h2v-2z M5 15.500v2h2v-2z M17 6.500v2h2v-2z M17 11v2h2v-2z M17 15.500v2h2v-2z M10 8.500v7l5.500-3.500z',
  subscribers:
    'M9 3a4.500 4.500 0 1 0 0 9a4.500 4.500 0 0 0 0-9z M1 21c0-5 3.500-7.500 8-7.500s8 2.500 8 7.500z M16 5.200a3.500 3.500 0 1 1 0 7z M18 13.800c3 .7 5 3 5 7.200h-4z',
  log: 'M3 4h3v3H3z M8.500 4.300H21v2.400H8.500z M3 10.500h3v3H3z M8.500 10.800H21v2.400H8.500z M3 17h3v3H3z M8.500 17.300H21v2.400H8.500z',
} as const;

/** Name of a drawing. */
export type IconName = keyof typeof ICON_SHAPES;
