import { translated } from '../../i18n/translated.ts';
import { CHOICES_DE, DE, FIELDS_DE, IMPACT_DE, SECTIONS_DE } from './texts-de.ts';
import type { Section } from './setting-fields.ts';

const count = (many: number, one: string, more = `${one}s`): string => `${many} ${many === 1 ? one : more}`;

/** Texts of the settings dialog of a stream. */
export const TEXTS = translated(
  'settings',
  {
    title: (name: string): string => `Settings of ${name}`,
    open: 'Settings',
    loading: 'Loading the settings',
    failed: 'The settings could not be read.',
    gone: 'This stream is not in the configuration.',
    ofPrefix: (name: string): string => `These settings apply to all streams that encoders publish under ${name}/.`,
    ofTemplate: (name: string): string => `These settings apply to all streams of the template ${name}.`,
    applied: (name: string): string => `The settings of ${name} were applied.`,
    asText: 'Show as text',
    asFields: 'Show as fields',
    text: 'Configuration text',
    editText: 'Edit the text',
    more: (names: readonly string[]): string =>
      `${count(names.length, 'more setting')} in the text: ${names.join(', ')}`,
    changed: 'Not applied yet',
    checking: 'Checking …',
    nothing: 'Nothing is interrupted',
    onTrial: 'A change of the configuration is on trial. Keep or revert it first.',
    apply: 'Apply',
    discard: 'Discard',
    discardTitle: 'Discard the changes?',
    discardBody: 'Changes that were not applied are lost.',
    retry: 'Try again',
    enter: (expected: string): string => `Enter ${expected}.`,
    range: (min: number, max: number): string => `Enter a number from ${min} to ${max}.`,
    helpOn: (label: string): string => `${label}: documentation`,
    secretSet: 'Set. Enter a new value to change it.',
    secretNone: 'None',
    remove: 'Remove',
    removeOf: (label: string): string => `Remove ${label}`,
    none: 'None',
    standard: (value: string): string => (value === '' ? 'Default' : `Default: ${value}`),
    isFromTemplate: 'From the template.',
    fromTemplate: (value: string): string => `From the template: ${value}`,
    everyone: 'Everyone',
    anyEncoder: 'Any encoder',
    byServer: (value: string): string => `As set for the server: ${value}`,
    other: 'Other …',
    otherOf: (label: string): string => `${label}: other`,
    seconds: 's',
    milliseconds: 'ms',
    inText: 'Edit this in the text.',
    input: (number: number): string => `Input ${number}`,
    inputHint:
      'An address such as udp://239.0.0.1:1234, rtsp://host/ch1 or file:///clip.mp4. publish:// waits for an encoder.',
    addInput: 'Add an input',
    moreOptions: (names: readonly string[]): string => `Options in the text: ${names.join(', ')}`,
    record: 'Record this stream',
    recordInherited: 'The template records this stream.',
    days: 'Keep for',
    daysUnit: 'days',
    daysHint: 'Older recordings are deleted. A stream of 4 Mbit/s needs about 43 GB a day.',
    daysForever: 'no limit',
    storage: 'Storage',
    storageFree: (name: string, free: string): string => `${name} (${free} free)`,
    newStorage: 'main (new, in the data folder)',
    folder: (path: string): string => `Folder ${path}`,
    size: 'Use at most',
    percent: 'Fill the disk to at most',
    noLimit: 'no limit',
    after: 'after',
    severity: 'Severity',
    moreAlarms: 'More alarms',
    watchPicture: 'Watch for black, frozen and silent',
    watched: (many: number): string =>
      `${count(many, 'stream is', 'streams are')} now watched for a black or frozen picture and for silence.`,
    isWatched: 'Already watched.',
    raiseOf: (label: string): string => `${label}: seconds until the alarm`,
    severityOf: (label: string): string => `${label}: severity`,
    limitOf: (label: string, limit: 'min' | 'max'): string => `${label}: ${limit === 'min' ? 'minimum' : 'maximum'}`,
    limits: { min: 'below', max: 'above' },
    summaries: {
      inputs: (many: number): string => count(many, 'input'),
      recorded: (days: string, place: string): string =>
        days === '' ? place : `${days} ${days === '1' ? 'day' : 'days'}, ${place}`,
      notRecorded: 'Not recorded',
      password: 'Password for encoders',
      backend: (name: string): string => `Viewers: ${name}`,
      everyone: 'Viewers: everyone',
      alarms: (many: number): string => count(many, 'alarm'),
      defaults: 'Defaults',
      changed: (many: number): string => count(many, 'setting'),
      locations: (names: readonly string[]): string => `VOD locations: ${names.join(', ')}`,
    },
  },
  DE,
);

/** Titles of sections. */
export const SECTION_LABELS: Readonly<Record<Section, string>> = translated(
  'settingSections',
  {
    general: 'General',
    inputs: 'Inputs',
    recording: 'Recording',
    access: 'Access',
    ads: 'Advertisements',
    alarms: 'Alarms',
    outputs: 'Outputs',
  },
  SECTIONS_DE,
);

/** Label of a field, and a hint below it. */
export interface FieldText {
  readonly label: string;
  readonly hint?: string;
}

/** Labels and hints of fields, by id. */
const FIELD_TEXTS: Readonly<Record<string, FieldText>> = translated(
  'settingFields',
  {
    title: { label: 'Title', hint: 'Shown on the tile beside the name.' },
    template: { label: 'Template', hint: 'Settings that the stream does not have itself come from here.' },
    comment: { label: 'Note', hint: 'For the operators; it has no effect.' },
    position: { label: 'Position in lists', hint: 'Smaller numbers come first.' },
    isOn: { label: 'Enabled', hint: 'A disabled stream stays in the configuration and does not run.' },
    address: { label: 'Address' },
    priority: { label: 'Priority', hint: '1 before 2; without a number in this order.' },
    framesTimeout: { label: 'Next input after', hint: 'Time without a picture.' },
    inputTimeout: { label: 'Reconnect after', hint: 'Time without a picture.' },
    backup: { label: 'Backup file', hint: 'Plays in a loop while no input has a picture: MPEG-TS or MP4.' },
    backupAfter: { label: 'Backup file after' },
    sourceTimeout: { label: 'Reconnect after', hint: 'For inputs without a time of their own.' },
    retryLimit: { label: 'Attempts to reconnect', hint: 'A number, or unlimited.' },
    isStatic: { label: 'Always running', hint: 'Otherwise it starts with its first viewer.' },
    clientsTimeout: { label: 'Stop after the last viewer', hint: 'If the stream is not always running.' },
    password: { label: 'Password for encoders', hint: 'Without it, any encoder that reaches the server can publish.' },
    onPublish: { label: 'Who may publish', hint: 'A backend decides about each encoder.' },
    publishKey: { label: 'Key for signed publishing addresses' },
    onPlay: { label: 'Who may watch', hint: 'A backend decides about each viewer.' },
    maxSessions: { label: 'Sessions of one viewer', hint: 'Maximum number at the same time.' },
    playKey: { label: 'Key for signed playback addresses', hint: 'If set, viewers need a signed address.' },
    isDvrProtected: { label: 'Ask again for the archive', hint: 'The backend also decides who may watch recordings.' },
    adsBackend: { label: 'Backend', hint: 'The backend that decides who may watch also names the advertisements.' },
    overrun: { label: 'Clips longer than the break' },
    fill: { label: 'Clips shorter than the break', hint: 'Other: a slate, as LOCATION/FILE.' },
    adsArchive: { label: 'Breaks in the archive' },
    adsHls: { label: 'Insertion in HLS' },
    adsDash: { label: 'Insertion in DASH', hint: 'For breaks inside the segments.' },
    splicePoints: { label: 'Splice points in HLS' },
    loudnessLog: { label: 'Log the loudness', hint: 'EBU R 128 of the first audio track, for reports by day.' },
    segmentDuration: { label: 'Segment length', hint: 'Minimum length. A segment ends at a key frame.' },
    chunkDuration: { label: 'Part length (low latency)', hint: 'Shorter parts mean less delay and more requests.' },
    segmentCount: { label: 'Segments in a playlist' },
    hls: { label: 'HLS' },
    dash: { label: 'DASH' },
    mpegts: { label: 'MPEG-TS over HTTP' },
    rtmp: { label: 'RTMP for players' },
  },
  FIELDS_DE,
);

/** Label and hint of a field. */
export function fieldText(id: string): FieldText {
  return FIELD_TEXTS[id] ?? { label: id };
}

/** Labels of choices, by field. */
export const CHOICE_LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = translated(
  'settingChoices',
  {
    overrun: { cut: 'Cut the clip', complete: 'Play the clip to its end' },
    fill: { repeat: 'Repeat the clips', programme: 'Return to the programme' },
    adsArchive: { programme: 'Show the programme', clips: 'Play the clips again' },
    adsHls: { stitched: 'In the playlist', interstitials: 'By the player (interstitials)' },
    adsDash: { single: 'In one period', periods: 'A period for each break' },
    splicePoints: { rfc8216: 'EXT-X-DATERANGE', aws: 'CUE-OUT and CUE-IN', scte35: 'CUE-OUT with SCTE-35' },
    onPlay: { false: 'Everyone, without a backend' },
    adsBackend: { false: 'None' },
    onPublish: { false: 'Every encoder, without a backend' },
  },
  CHOICES_DE,
);

/** Effects of a change of the configuration. */
export const IMPACT = translated(
  'configImpact',
  {
    ends: (many: number, names: string) => `stops ${count(many, 'stream')}${names}`,
    restarts: (many: number, names: string) => `restarts ${count(many, 'stream')}${names}`,
    interrupts: (many: number) => `interrupts ${count(many, 'viewer')}`,
    disconnects: (many: number) => `disconnects ${count(many, 'encoder')}`,
    closes: (port: string) => `closes port ${port}`,
    opens: (port: string) => `opens port ${port}`,
    adds: (many: number, names: string) => `adds ${count(many, 'stream')}${names}`,
    updates: (many: number, names: string) => `updates ${count(many, 'stream')} without interruption${names}`,
    prefixes: (many: number, names: string) =>
      `changes ${count(many, 'live prefix or template', 'live prefixes or templates')}${names}`,
    settings: (names: string) => `changes ${names}`,
    order: 'changes the order of streams',
  },
  IMPACT_DE,
);
