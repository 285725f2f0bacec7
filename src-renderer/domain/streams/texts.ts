import { translated } from '../../i18n/translated.ts';
import { DE } from './texts-de.ts';

const viewers = (count: number): string =>
  count === 0
    ? 'It has no viewers now.'
    : count === 1
      ? 'One viewer is watching it and will lose it.'
      : `${count} viewers are watching it and will lose it.`;

/** Texts of the streams module. */
export const TEXTS = translated(
  'streams',
  {
    add: 'Add stream',
    take: 'Put on air',
    takeTitle: (input: number, name: string): string => `Put input ${input} of ${name} on air?`,
    cancel: 'Cancel',
    done: 'Done',
    addAnother: 'Add another',
    ways: { pull: 'Pull from an address', publish: 'Wait for an encoder' },
    wayHints: {
      pull: 'The server pulls the stream: from a multicast group, another server, a camera or a file.',
      publish: 'An encoder such as OBS or ffmpeg sends the stream here. You get the address for it in the next step.',
    },
    name: 'Name',
    nameHint: 'Becomes part of its addresses, as in /cam1/index.m3u8.',
    address: 'Address',
    addressExample: 'udp://239.0.0.1:1234',
    addressHint:
      'For example udp://239.0.0.1:1234, http://host/live/mpegts, http://host/live/index.m3u8, rtsp://host/ch1, file:///media/clip.mp4 or fake://.',
    readAsKind: {
      hls: 'This is read as an HLS playlist.',
      tshttp: 'This is read as a transport stream (MPEG-TS) over HTTP.',
    },
    otherKind: { hls: 'Read as MPEG-TS', tshttp: 'Read as HLS' },
    waitsFor: (name: string): string => `${name} is waiting for an encoder. Publish to one of these addresses:`,
    withPassword: 'The addresses contain the password. It is shown only once: copy them now.',
    noPublishUrl: 'The server has no port for encoders. Add one to its configuration, for example: rtmp 1935;',
    obsServer: 'OBS server',
    obsKey: 'OBS key',
    obsSteps: 'Steps in OBS',
    obsStepList: [
      'Open Settings, Stream.',
      'Select Custom as the service.',
      'Copy the server and stream key from here.',
      'Under Output, set the keyframe interval to 2 s.',
      'Click OK, then Start Streaming.',
    ],
    obsFileHint: 'Or close OBS, put this file into the folder of the profile (basic/profiles/NAME) and start OBS:',
    publishAddress: 'Address',
    ffmpegLine: 'ffmpeg',
    added: (name: string): string => `${name} was added.`,
    readAgain: 'Reload',
    wasRead: 'The configuration file was reloaded.',
    remove: 'Remove',
    undo: 'Undo',
    restart: 'Restart',
    disable: 'Disable',
    enable: 'Enable',
    record: 'Record',
    stopRecording: 'Stop recording',
    disableTitle: (count: number): string => `Disable ${count === 1 ? 'this stream' : `${count} streams`}?`,
    disableBody: (viewers: number): string =>
      `A disabled stream stays in the configuration but does not run.${viewers > 0 ? ` ${viewers} viewers will lose the picture.` : ''} You can undo this for ten seconds.`,
    disabled: (count: number, isDisabled: boolean): string =>
      `${count} ${count === 1 ? 'stream is' : 'streams are'} ${isDisabled ? 'disabled' : 'enabled'}.`,
    notDisabled: 'Nothing changed.',
    switchedBack: 'The streams are running as before.',
    recorded: (count: number, isOn: boolean): string =>
      `Recording of ${count} ${count === 1 ? 'stream' : 'streams'} ${isOn ? 'started' : 'stopped'}. After a restart of the stream, its configuration applies.`,
    streams: (count: number): string => `${count} streams`,
    recordingAdded: (what: string, storage: string, days: number): string =>
      `Recording ${what} to the storage ${storage}, kept for ${days} days. You can change this in its settings.`,
    recordPrefixTitle: (name: string): string => `Record ${name}?`,
    recordPrefixBody: (name: string): string =>
      `${name} comes from its encoder, so recording is set for its live prefix: all streams that encoders publish there are recorded.`,
    stopTitle: (name: string): string => `Stop recording ${name}?`,
    stopManyTitle: (count: number): string => `Stop recording ${count} streams?`,
    stopBody:
      'What is on air from now on is missing from the archive. Earlier recordings stay. Recording starts again when you choose Record, and when the stream restarts.',
    removeTitle: (name: string): string => `Remove ${name}?`,
    removeBody: (count: number): string =>
      `The stream stops and is removed from the configuration. ${viewers(count)} You can undo this for ten seconds.`,
    removed: (name: string): string => `${name} was removed.`,
    unanswered: 'It is not known whether this was done. Look at the list before you repeat it.',
    notRemoved: (name: string): string => `${name} was not removed.`,
    restored: (name: string): string => `${name} was restored.`,
    notRestored: (name: string): string => `${name} was not restored.`,
    madeByPublisher: (name: string): string =>
      `${name} comes from its encoder and is not in the configuration. Stop the encoder to remove it.`,
    restartTitle: (name: string): string => `Restart ${name}?`,
    restartBody: (count: number): string =>
      `Its input is closed and reopened. The picture is gone for a few seconds. ${viewers(count).replace('will lose it', 'will see the gap')}`,
    restarted: (name: string): string => `${name} is restarting.`,
    notRestarted: (name: string): string => `${name} was not restarted.`,
    notSelected: (name: string): string => `The input of ${name} was not changed.`,
    removeManyTitle: (count: number): string => `Remove ${count} streams?`,
    removeManyBody: (viewers: number): string =>
      `They stop and are removed from the configuration.${viewers > 0 ? ` ${viewers} viewers lose them.` : ''} You can undo this for ten seconds.`,
    removedMany: (count: number): string => `${count} streams were removed.`,
    notRemovedMany: (count: number): string => `The ${count} streams were not removed.`,
    restoredMany: (count: number): string => `${count} streams were restored.`,
    notRestoredMany: 'The streams were not restored.',
    restartManyTitle: (count: number): string => `Restart ${count} streams?`,
    restartManyBody: (viewers: number): string =>
      `Their inputs are closed and reopened. The pictures are gone for a few seconds.${viewers > 0 ? ` ${viewers} viewers see the gap.` : ''}`,
    restartedMany: (count: number): string => `${count} streams are restarting.`,
    restartedSome: (done: number, count: number): string => `${done} of ${count} streams are restarting.`,
    where: 'Source of the stream',
    noVideo: 'no video',
    noAudio: 'no audio',
    noFrames: 'No picture',
    badFields: {
      name: 'Use letters, digits and . _ - ~ @ + only, starting with a letter or digit. A slash makes a group, as in news/cam1. At most 200 characters.',
      address: 'At most 2000 characters.',
      form: 'Check the fields.',
    },
    needsName: 'Enter a name. It becomes part of the stream’s addresses.',
    needsAddress: 'Enter the address to pull from.',
    needsProtocol: 'An address starts with its protocol, as in udp://239.0.0.1:1234 or http://host/live/mpegts.',
  },
  DE,
);
