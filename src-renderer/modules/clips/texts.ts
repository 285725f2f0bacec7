import { formatFixed } from '../../i18n/i18n.ts';
import { translated } from '../../i18n/translated.ts';
import { DE, FIELD_WORDS_DE, UPLOAD_WORDS_DE, PLACEMENTS_DE, JOB_WORDS_DE } from './texts-de.ts';

/** The words of the page of clips. */
export const TEXTS = translated(
  'clips',
  {
    title: 'Clips',
    location: 'Location',
    stream: 'For the stream',
    search: 'Find',
    loading: 'Waiting for the server',
    noLocations: 'No VOD location has a folder of the server',
    noLocationsHelp: 'Make one in the configuration: vod ads { storage /srv/ads; }',
    noFiles: 'This folder is empty',
    noFilesHelp: 'Drop files here, or choose them with Send files.',
    noFound: 'No file of this folder has that in its name',
    name: 'Name',
    size: 'Size',
    fit: 'Fits the stream',
    compare: 'Compare',
    comparing: 'Comparing',
    fits: 'Fits',
    differs: (count: number) => `${count} ${count === 1 ? 'difference' : 'differences'}`,
    cannotPlay: 'Cannot be played',
    field: 'Property',
    clip: 'Clip',
    ofStream: 'Stream',
    fitTitle: (path: string, stream: string) => `${path} and ${stream}`,
    noTarget: 'Nothing says where finished clips go. Add file_processor { path LOCATION; } to the configuration.',
    chosen: (count: number) => `${count} chosen`,
    all: 'Choose all files',
    choose: (name: string) => `Choose ${name}`,
    up: 'One folder up',
    more: 'Show more',
    compareChosen: 'Compare',
    conform: 'Make fit',
    json: 'Backend answer',
    jsonTitle: 'Answer of a backend',
    answer: 'Answer as JSON',
    backends: 'Test backend',
    backendsHelp: 'A file of the server in place of a backend. It lets every viewer in: for tests only.',
    openBackend: 'Open',
    save: 'Save',
    saveOver: 'Save over',
    backendQuestion: (name: string) => ({
      title: `Delete the test backend ${name}?`,
      body: 'Streams that ask it let nobody in any more.',
      confirmLabel: 'Delete',
    }),
    placement: 'Where',
    jobs: 'Clips in the making',
    noJobs: 'No clip was asked for',
    loudness: (from: number, to: number) => `${formatFixed(from, 1)} to ${formatFixed(to, 1)} LUFS`,
    cancel: 'Cancel',
    remove: 'Remove',
    play: 'Play it in another tab',
    player: 'The file',
    playPart: 'Play from in to out',
    inHere: 'In here',
    outHere: 'Out here',
    notPlayable: 'The page cannot play this file as it is: make it fit first.',
    inPoint: 'In, seconds',
    outPoint: 'Out, seconds',
    end: 'end',
    looking: 'Looking at the file',
    noSound: 'No sound',
    wave: 'Loudness over time',
    seconds: (ms: number) => `${formatFixed(ms / 1000, 2)} s`,
    length: (ms: number, ofMs: number) => `${formatFixed(ms / 1000, 2)} s of ${formatFixed(ofMs / 1000, 2)} s`,
    levelled: 'As loud as the stream',
    leadIn: 'Black first',
    none: 'none',
    multiple: 'Fill up to',
    multipleHelp: 'Silent black behind the last picture, up to a whole number of times this long',
    asIs: 'nothing',
    add: 'Send files',
    dropHere: (place: string) => `Drop files to send them to ${place}`,
    clear: 'Clear',
    uploads: 'Files on their way',
    replaceQuestion: (name: string) => ({
      title: `Replace ${name}?`,
      body: 'The folder has a file of this name. Viewers who see it now may see an error.',
      confirmLabel: 'Replace',
    }),
    notReplaced: 'It was not replaced',
    uploadCancelled: 'It was cancelled',
    delete: 'Delete',
    deleteQuestion: (names: readonly string[]) => ({
      title: names.length === 1 ? `Delete ${names[0]}?` : `Delete ${names.length} files?`,
      body: 'They are gone for good. Advertisements and streams that show them go on without.',
      confirmLabel: 'Delete',
    }),
    answered: (status: number) => `The server answered ${status}`,
    badAnswer: 'It has to be {"ad_inject": { … }}',
    connectionLost: 'The connection to the server was lost',
  },
  DE,
);

/** States of a file on its way as people say them. */
export const UPLOAD_WORDS = translated(
  'uploadStates',
  {
    waiting: 'Waiting',
    sending: 'Sending',
    done: 'Sent',
    failed: 'Failed',
  },
  UPLOAD_WORDS_DE,
);

/** Where clips are shown, as `ad_inject` names it. */
export const PLACEMENTS = translated(
  'placements',
  {
    preroll: 'before the stream',
    splicing: 'at splice points',
    interval: 'every 10 minutes',
  },
  PLACEMENTS_DE,
);

/** States of a job as people say them. */
export const JOB_WORDS = translated(
  'clipJobStates',
  {
    new: 'Waiting',
    running: 'Running',
    done: 'Done',
    error: 'Failed',
  },
  JOB_WORDS_DE,
);

/** Properties of a clip that may differ from those of a stream. */
export const FIELD_WORDS: Readonly<Record<string, string>> = translated(
  'clipFields',
  {
    codec: 'Codec',
    profile: 'Profile',
    level: 'Level',
    width: 'Width',
    height: 'Height',
    sar: 'Pixel aspect',
    fps: 'Pictures a second',
    scan: 'Scan',
    sample_rate: 'Sample rate, Hz',
    channels: 'Channels',
    gop_ms: 'Between key frames, ms',
    gop: 'Groups of pictures',
    content: 'Kind',
    nal_length_size: 'Length of NAL sizes, bytes',
  },
  FIELD_WORDS_DE,
);
