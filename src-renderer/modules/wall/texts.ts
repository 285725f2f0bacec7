import type { StreamCondition } from '../streams/stream-condition.ts';

/** The word beside the shape of a condition. */
export const CONDITION_WORDS: Readonly<Record<StreamCondition, string>> = {
  live: 'LIVE',
  late: 'LATE',
  lost: 'LOST',
  failed: 'NO SIGNAL',
  refused: 'REFUSED',
  waiting: 'WAITING',
  starting: 'STARTING',
  disabled: 'DISABLED',
};

/** The word in place of a condition while the server does not answer. */
export const UNKNOWN = 'UNKNOWN';

/** What the wall says to the operator. */
export const TEXTS = {
  auto: 'Auto',
  autoGrid: 'As many tiles as have the largest pictures, up to 16 (0)',
  walls: 'Walls that the server keeps (F1 to F12)',
  allStreams: 'All streams',
  noWalls: 'No wall is kept yet.',
  wallName: 'Name of this wall',
  saveWall: 'Save',
  replaceWall: 'Replace',
  removeWall: (name: string): string => `Remove the wall ${name}`,
  wallSize: (columns: number, rows: number, streams: number): string => `${columns}×${rows}, ${streams} streams`,
  notThere: 'is not on the server',
  signalLost: 'Signal lost',
  noSignal: 'No signal',
  since: (clock: string): string => `since ${clock}`,
  tries: (count: number): string => (count === 1 ? 'tried once' : `tried ${count} times`),
  waiting: 'Waiting for an encoder',
  refused: 'Encoder refused',
  refusedAgo: (elapsed: string, count: number): string =>
    count === 1 ? `${elapsed} ago` : `${elapsed} ago, ${count} times by now`,
  waitingHow: 'Publish to',
  needsPassword: 'Password needed: add ?password=… to the address.',
  starting: 'Starting',
  loadingPicture: 'Loading the picture',
  pictureStalled: 'The picture stands still, loading again',
  noSound: (codec: string): string => `sound: ${codec}, not decodable here`,
  stills: (codec: string): string => `${codec} is not decodable here: a picture a second`,
  latency: 'LAT',
  latencyTitle: 'Time from the server’s clock to the picture shown here',
  age: 'AGE',
  ageTitle: 'Time since the last frame came in',
  noAudio: 'no audio',
  metersHint: 'click for sound',
  solo: 'Solo (Enter)',
  leaveSolo: 'Back to the wall (Escape)',
  sound: 'Sound (M)',
  tally: { red: 'On air', green: 'On preview', both: 'On air and on preview' } as const,
  lastKnown: (word: string): string => `${word} when the server last answered`,
  restart: 'Restart (R)',
  remove: 'Remove (Delete)',
  more: 'More',
  copyPublish: 'Copy publish address',
  copyHls: 'Copy HLS address',
  copyDash: 'Copy DASH address',
  copied: (words: string): string => `Copied: ${words}`,
  copyByHand: (words: string): string => `Copy by hand: ${words}`,
  openArchive: 'Open the archive here',
  openPlayer: 'Open in a player page',
  loadingTitle: 'Loading streams',
  connectingTitle: 'Connecting to the server',
  connectingBody: (host: string, seconds: number | null): string =>
    seconds === null
      ? `Asking ${host} …`
      : `${host} does not answer. Trying again in ${seconds} s. If it stays so, check that the server runs and that the network lets you through.`,
  tryNow: 'Try now',
  failedTitle: 'The list of streams cannot be loaded',
  tryAgain: 'Try again',
  emptyTitle: 'No streams yet',
  emptyBody: 'Add one that the server fetches or an encoder sends, or just publish under a live prefix:',
  emptyNoPrefix: 'Add one that the server fetches from an address, or one that waits for an encoder.',
  emptyViewer: 'They appear here as soon as there are some.',
  addStream: 'Add stream',
  pageBefore: 'Page before (Page Up)',
  pageAfter: 'Page after (Page Down)',
  page: (page: number, pages: number, isTroubled: boolean): string =>
    `Page ${page} of ${pages}${isTroubled ? ', with trouble' : ''}`,
  pageOf: (page: number, pages: number): string => `Page ${page}/${pages}`,
  tiles: 'Tiles',
  keysTitle: 'Keys',
} as const;
