import { translated } from '../../i18n/translated.ts';
import { DE } from './texts-de.ts';

const viewers = (count: number): string =>
  count === 0
    ? 'It has no viewers now.'
    : count === 1
      ? 'One viewer is watching it and will lose it.'
      : `${count} viewers are watching it and will lose it.`;

/** What this module says to the operator. */
export const TEXTS = translated(
  'streams',
  {
    add: 'Add stream',
    cancel: 'Cancel',
    done: 'Done',
    addAnother: 'Add another',
    ways: { pull: 'Pull from an address', publish: 'Wait for an encoder' },
    wayHints: {
      pull: 'The server fetches the stream: from a multicast group, another server, a camera or a file.',
      publish: 'An encoder such as OBS or ffmpeg sends the stream here. You get the address for it in the next step.',
    },
    name: 'Name',
    nameHint: 'Becomes part of its addresses, as in /cam1/index.m3u8.',
    title: 'Title',
    titleHint: 'Shown on the tile beside the name.',
    address: 'Address',
    addressExample: 'udp://239.0.0.1:1234',
    addressHint:
      'For example udp://239.0.0.1:1234, http://host/live/mpegts, http://host/live/index.m3u8, rtsp://host/ch1, file:///media/clip.mp4 or fake://.',
    readAsKind: {
      hls: 'It is read as an HLS playlist.',
      tshttp: 'It is read as a transport stream (MPEG-TS) over HTTP.',
    },
    otherKind: { hls: 'Read it as MPEG-TS', tshttp: 'Read it as HLS' },
    password: 'Password for publishing',
    passwordHint:
      'The encoder must send it with the address; without one, every encoder that reaches the server may publish.',
    waitsFor: (name: string): string => `${name} waits for an encoder. Send it to one of these addresses:`,
    withPassword: 'The addresses hold the password. This is the only time that it is shown: copy them now.',
    noPublishUrl: 'The server has no port for publishing. Set one in its configuration, for example: rtmp 1935;',
    obsServer: 'OBS server',
    obsKey: 'OBS key',
    obsSteps: 'Steps in OBS',
    obsStepList: [
      'Open Settings, Stream.',
      'As the service take Custom.',
      'Copy the server and the stream key from here.',
      'In Output set the keyframe interval to 2 s.',
      'Close the settings with OK and press Start Streaming.',
    ],
    obsFileHint: 'Or close OBS, put this file into the folder of the profile (basic/profiles/NAME) and start OBS:',
    publishAddress: 'Address',
    ffmpegLine: 'ffmpeg',
    added: (name: string): string => `${name} was added.`,
    readAgain: 'Read it again',
    wasRead: 'The configuration file was read again.',
    remove: 'Remove',
    undo: 'Undo',
    restart: 'Restart',
    disable: 'Disable',
    enable: 'Enable',
    record: 'Record',
    recordNot: 'Stop recording',
    disableTitle: (count: number): string => `Disable ${count === 1 ? 'this stream' : `${count} streams`}?`,
    disableBody: (viewers: number): string =>
      `What is disabled stays in the configuration and does not run.${viewers > 0 ? ` ${viewers} viewers lose it.` : ''} You can undo this for ten seconds.`,
    disabled: (count: number, isDisabled: boolean): string =>
      `${count} ${count === 1 ? 'stream is' : 'streams are'} ${isDisabled ? 'disabled' : 'enabled'}.`,
    notDisabled: 'Nothing was changed.',
    switchedBack: 'The streams are as they were.',
    recorded: (count: number, isOn: boolean): string =>
      `${count} ${count === 1 ? 'stream is' : 'streams are'} ${isOn ? 'recorded' : 'not recorded'} until restarted.`,
    removeTitle: (name: string): string => `Remove ${name}?`,
    removeBody: (count: number): string =>
      `The stream ends and leaves the configuration. ${viewers(count)} You can undo this for ten seconds.`,
    removed: (name: string): string => `${name} was removed.`,
    notRemoved: (name: string): string => `${name} was not removed.`,
    restored: (name: string): string => `${name} is back, as it was.`,
    notRestored: (name: string): string => `${name} was not brought back.`,
    madeByPublisher: (name: string): string =>
      `${name} was made by its publisher and is not in the configuration. Stop the encoder, and it goes away.`,
    restartTitle: (name: string): string => `Restart ${name}?`,
    restartBody: (count: number): string =>
      `Its input is closed and opened again; the picture is away for some seconds. ${viewers(count).replace('will lose it', 'will see the gap')}`,
    restarted: (name: string): string => `${name} starts again.`,
    notRestarted: (name: string): string => `${name} was not restarted.`,
    notSelected: (name: string): string => `The input of ${name} was not changed.`,
    removeManyTitle: (count: number): string => `Remove ${count} streams?`,
    removeManyBody: (viewers: number): string =>
      `They end and leave the configuration.${viewers > 0 ? ` ${viewers} viewers lose them.` : ''} You can undo this for ten seconds.`,
    removedMany: (count: number): string => `${count} streams were removed.`,
    notRemovedMany: (count: number): string => `The ${count} streams were not removed.`,
    restoredMany: (count: number): string => `${count} streams are back, as they were.`,
    notRestoredMany: 'The streams were not brought back.',
    restartManyTitle: (count: number): string => `Restart ${count} streams?`,
    restartManyBody: (viewers: number): string =>
      `Their inputs are closed and opened again; the pictures are away for some seconds.${viewers > 0 ? ` ${viewers} viewers see the gap.` : ''}`,
    restartedMany: (count: number): string => `${count} streams start again.`,
    restartedSome: (done: number, count: number): string => `${done} of ${count} streams start again.`,
    where: 'Where the stream comes from',
    noVideo: 'no video',
    noAudio: 'no audio',
    noFrames: 'No frames are coming',
    badFields: {
      name: 'Use letters, digits and . _ - ~ @ + only, beginning with a letter or digit; a slash makes a group, as in news/cam1. At most 200 characters.',
      title: 'At most 200 characters.',
      address: 'At most 2000 characters.',
      password: 'At most 200 characters.',
      form: 'This cannot be sent.',
    },
    needsName: 'Give the stream a name: it becomes part of its addresses.',
    needsAddress: 'Type the address to pull from.',
    needsProtocol: 'An address begins with its protocol, as in udp://239.0.0.1:1234 or http://host/live/mpegts.',
  },
  DE,
);
