import { translated } from '../../i18n/translated.ts';
import { DE } from './texts-de.ts';

/** Texts of the first steps. */
export const TEXTS = translated(
  'firstSteps',
  {
    title: 'Set up this server',
    place: (at: number, count: number) => `Step ${at} of ${count}`,
    steps: ['Network access', 'Recording', 'First stream'],
    reading: 'Loading the configuration',
    later: 'Not now',
    back: 'Back',
    next: 'Next',
    finish: 'Finish',
    again: 'Try again',
    reach: 'Who can reach this server',
    here: 'Only this machine',
    hereHint: 'to try things out',
    network: 'The whole network',
    networkHint: 'players, encoders and desks on other machines',
    httpPort: 'HTTP port (desk and players)',
    rtmpPort: 'RTMP port (encoders)',
    rtmpHint: 'Leave empty if encoders do not use RTMP.',
    login: 'User',
    password: 'Password for changes',
    passwordHint: 'Without a password, changes are possible only from this machine. The desk asks for it next time.',
    viewPassword: 'Password for viewing',
    viewPasswordHint: 'For the user viewer, who sees the desk and changes nothing. Without it, everybody may look.',
    asksForChanges:
      'Other open desks have to log in before they change something, and so do programs that use the API. Encoders and players are not affected. Everybody may still look.',
    asksForAll:
      'Other open desks are asked for a login at once, and so are programs that use the API. Encoders and players are not affected.',
    needsPassword: 'Enter a password.',
    setLogin: 'Set a login',
    loginIsSet: 'The login is set. Give each person a login of their own on the page People.',
    close: 'Close',
    noLoginMeans:
      'No login is set. Everyone who reaches this server can view it. Changes are possible only from the server itself. Players never need a login.',
    noLoginDo:
      'To set a login, open the desk on the machine of the server, or add these lines to its configuration, with your own passwords:',
    noLoginHash: [
      'The first login may change everything, the second may only view.',
      'makes a hash to use in place of a password.',
    ],
    samePassword: 'Choose a password that differs from the other field. It would be guessed quickly.',
    openToAll:
      'Without a password, everybody on the network can see this desk and watch every stream, and can publish to streams without a password of their own.',
    disconnects: (encoders: number, viewers: number) => {
      const ended = [
        ...(encoders > 0 ? [`${encoders} ${encoders === 1 ? 'encoder has' : 'encoders have'} to connect again`] : []),
        ...(viewers > 0
          ? [`${viewers} ${viewers === 1 ? 'viewer' : 'viewers'} may lose the picture for a moment`]
          : []),
      ];
      return `This changes ports that are open now. Connections to them end: ${ended.join(', and ')}.`;
    },
    hasLogin: 'A login for changes is already set.',
    folder: 'Recording folder',
    folderHint: 'A path without a leading slash is inside the data folder. Leave empty to record nothing.',
    recordsFirst: 'Record the first stream',
    days: 'Keep recordings for (days)',
    hasArchive: 'A recording folder is already set.',
    streamName: 'Stream name',
    streamHint: 'Part of the stream’s addresses. Leave empty to add a stream later (A on the wall).',
    source: 'Source',
    encoder: 'An encoder sends it',
    encoderHint: 'OBS, ffmpeg, vMix; the wall shows the address',
    pull: 'The server pulls it',
    pullHint: 'a camera or another server',
    address: 'Address',
    addressExample: 'rtsp://camera/stream or srt://host:9000',
    removesDemo: 'Remove the demo’s test pictures',
    needsPort: 'Enter a port for the desk and players.',
    badPort: 'A port is a number from 1 to 65535.',
    ownPort: 'HTTP and RTMP need different ports.',
    needsLogin: 'Enter a user for the password.',
    badDays: (most: number) => `Enter a whole number of days from 1 to ${most}.`,
  },
  DE,
);
