import { formatFixed } from '../../i18n/i18n.ts';
import { translated } from '../../i18n/translated.ts';
import { DE, FIELD_LABELS_DE, UPLOAD_LABELS_DE, PLACEMENTS_DE, JOB_LABELS_DE } from './texts-de.ts';

/** Texts of the clips page. */
export const TEXTS = translated(
  'clips',
  {
    title: 'Clips',
    location: 'Location',
    stream: 'For the stream',
    search: 'Search',
    loading: 'Loading files',
    noLocations: 'No VOD location with a folder on this server',
    noLocationsHelp: 'Add one to the configuration: vod ads { storage /srv/ads; }',
    noFiles: 'This folder is empty',
    noFilesHelp: 'Drop files here, or choose them with Upload files.',
    notListed: 'The files of this folder could not be listed',
    retry: 'Retry',
    noFound: 'No file name in this folder matches',
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
    noTarget: 'No folder is set for finished clips. Add file_processor { path LOCATION; } to the configuration.',
    chosen: (count: number) => `${count} selected`,
    all: 'Select all files',
    choose: (name: string) => `Select ${name}`,
    up: 'One folder up',
    more: 'Show more',
    compareChosen: 'Compare',
    conform: 'Conform',
    json: 'Backend response',
    jsonTitle: 'Backend response',
    answer: 'Response as JSON',
    backends: 'Test backend',
    backendsHelp: 'A file on the server that stands in for a backend. It lets every viewer in: for tests only.',
    openBackend: 'Open',
    save: 'Save',
    saveOver: 'Overwrite',
    backendQuestion: (name: string) => ({
      title: `Delete the test backend ${name}?`,
      body: 'Streams that use it will refuse all viewers.',
      confirmLabel: 'Delete',
    }),
    placement: 'Placement',
    jobs: 'Conversions',
    noJobs: 'No conversions yet',
    loudness: (from: number, to: number) => `${formatFixed(from, 1)} to ${formatFixed(to, 1)} LUFS`,
    cancel: 'Cancel',
    remove: 'Remove',
    play: 'Play in a new tab',
    player: 'The file',
    playPart: 'Play from in to out',
    inHere: 'In here',
    outHere: 'Out here',
    notPlayable: 'The browser cannot play this file. Conform it first.',
    inPoint: 'In, seconds',
    outPoint: 'Out, seconds',
    end: 'end',
    looking: 'Reading the file',
    noSound: 'No sound',
    wave: 'Loudness over time',
    seconds: (ms: number) => `${formatFixed(ms / 1000, 2)} s`,
    length: (ms: number, ofMs: number) => `${formatFixed(ms / 1000, 2)} s of ${formatFixed(ofMs / 1000, 2)} s`,
    levelled: 'Match the stream’s loudness',
    leadIn: 'Black before',
    none: 'none',
    multiple: 'Fill up to',
    multipleHelp: 'Silent black after the last picture, up to a multiple of this length',
    asIs: 'nothing',
    add: 'Upload files',
    dropHere: (place: string) => `Drop files to upload them to ${place}`,
    clear: 'Clear',
    uploads: 'Uploads',
    replaceQuestion: (name: string) => ({
      title: `Replace ${name}?`,
      body: 'The folder has a file of this name. Viewers who are watching it may see an error.',
      confirmLabel: 'Replace',
    }),
    notReplaced: 'Not replaced',
    uploadCancelled: 'Cancelled',
    delete: 'Delete',
    deleteQuestion: (names: readonly string[]) => ({
      title: names.length === 1 ? `Delete ${names[0]}?` : `Delete ${names.length} files?`,
      body: 'This cannot be undone. Advertisements and streams that show them continue without them.',
      confirmLabel: 'Delete',
    }),
    answered: (status: number) => `The server answered ${status}`,
    badAnswer: 'It must be {"ad_inject": { … }}',
    connectionLost: 'The connection to the server was lost',
  },
  DE,
);

/** Labels of upload states. */
export const UPLOAD_LABELS = translated(
  'uploadStates',
  {
    waiting: 'Waiting',
    sending: 'Uploading',
    done: 'Uploaded',
    failed: 'Failed',
  },
  UPLOAD_LABELS_DE,
);

/** Placements of clips, by their name in `ad_inject`. */
export const PLACEMENTS = translated(
  'placements',
  {
    preroll: 'before the stream',
    splicing: 'at splice points',
    interval: 'every 10 minutes',
  },
  PLACEMENTS_DE,
);

/** Labels of job states. */
export const JOB_LABELS = translated(
  'clipJobStates',
  {
    new: 'Waiting',
    running: 'Running',
    done: 'Done',
    error: 'Failed',
  },
  JOB_LABELS_DE,
);

/** Labels of clip properties that may differ from those of a stream. */
export const FIELD_LABELS: Readonly<Record<string, string>> = translated(
  'clipFields',
  {
    codec: 'Codec',
    profile: 'Profile',
    level: 'Level',
    width: 'Width',
    height: 'Height',
    sar: 'Pixel aspect',
    fps: 'Frame rate',
    scan: 'Scan',
    sample_rate: 'Sample rate, Hz',
    channels: 'Channels',
    gop_ms: 'Key frame interval, ms',
    gop: 'GOP structure',
    content: 'Type',
    nal_length_size: 'Length of NAL sizes, bytes',
  },
  FIELD_LABELS_DE,
);
