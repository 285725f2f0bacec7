import { translated } from '../i18n/translated.ts';
import { DETAILS_DE } from './detail-texts-de.ts';

/** What the server says in detail of inputs and encoders, as it writes it; `*` stands for a figure, a name, or what another program said. */
export const DETAILS_EN = {
  noTracks: 'The file holds no audio or video that Airdesk can read.',
  fileEnded: 'The file was played to its end.',
  listEnded: 'The playlist was played to its end.',
  listEmpty: 'The playlist has ended and lists nothing to play.',
  listUnplayable: 'The playlist has no entry that can be played.',
  notAllowed: 'The other side leads to *, an address that it may not lead to',
  noAnswer: 'No answer for * s.',
  fileUnreadable: 'The file cannot be read: *',
  notMedia: 'The file is neither an MPEG transport stream nor MP4.',
  wantsPassword: 'The other side wants a user name and a password, or these are wrong: *',
  refused: 'The other side refused: *',
  noConnection: 'No connection: *',
  otherEnded: 'The other side ended the stream.',
  inputClosed: 'The input was closed.',
  broke: 'The connection broke: *',
  threadLate: 'The media thread of the stream does not keep up.',
  threadEnded: 'The media thread of the stream ended.',
  encoderThreadEnded: 'The media thread that held the connection of the encoder ended.',
  copyClosed: 'The copy was closed.',
  serverStops: 'The server stops.',
  encoderLeft: 'The encoder went away before it was accepted.',
  rtpLost: '* RTP packets are missing',
  tracksChange: 'its tracks change again and again',
  noFrame: 'no frame for *',
  takenOver: 'another encoder took its place',
  streamClosed: 'the stream was closed',
  hostNoAnswer: '* gave no answer in * ms',
  hostAnswered: '* answered *',
  hostBroke: 'The connection to * broke: *',
  hostSilent: '* sent nothing for * ms',
  hostEnded: '* ended the stream',
  hostClosed: '* closed the connection',
  processEnded: 'The process ended without a reason.',
  trackLeftOut: 'The input has a track of *, which is left out.',
  copyWithoutInput: 'The stream * has no input.',
  hlsGap: 'The playlist has a gap in the place of segment *.',
  hlsRestarted: 'The server began the numbers of its segments anew.',
  hlsMissed: '* segments left the playlist before they could be loaded.',
  byPriority: 'by priority',
} as const;

/** The same in the language of the desk. */
export const DETAILS = translated('details', DETAILS_EN, DETAILS_DE);
