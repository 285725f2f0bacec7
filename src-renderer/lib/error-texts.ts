import { ERRORS, isErrorCode } from '../../src-preload/contract/index.ts';
import type { ErrorCode } from '../../src-preload/contract/index.ts';
import { MIN_PASSWORD_LENGTH, type PasswordWeakness } from '../../src-preload/contract/password-rules.ts';
import { translated } from '../i18n/translated.ts';
import { ADVICE_DE, LINK_DE, TITLES_DE, WEAKNESSES_DE } from './error-texts-de.ts';

/** Advice about errors, for codes that have one. */
export const ADVICE = translated(
  'errorAdvice',
  {
    bad_stream_name: 'Use only letters, digits and . _ - ~ @ +',
    stream_exists: 'Choose another name, or remove the other stream first.',
    stream_not_found: 'Someone else may have removed it.',
    stream_not_configured: 'It comes from its encoder. Stop the encoder to remove it.',
    stream_archived: 'Delete its archive, or wait until it expires.',
    bad_input_url: 'Check the protocol and the spelling of the address.',
    input_not_supported: 'For a stream over HTTP, use hls:// or tshttp://.',
    input_file_not_found: 'Check the path. It must exist on the server, not on this computer.',
    input_unreachable: 'Check that the source is running and that the network allows the connection.',
    input_refused: 'Check the user, the password and the path, for SRT the passphrase and the stream id.',
    input_timed_out: 'Check that the source is sending, and that no firewall drops its packets.',
    input_unreadable: 'Check that the address is the right one, and what the source sends.',
    input_no_tracks: 'Send H.264 or H.265 video and AAC, MP2, MP3, AC-3 or Opus audio.',
    ts_not_mpegts: 'Check the protocol: the source sends something other than a transport stream.',
    path_not_allowed: 'Move the file into the data folder, or add its folder to allowed_paths.',
    config_changed_since: 'Review the other changes, then try again.',
    config_not_saved: 'Check that the server’s disk is not full and that the configuration file is writable.',
    package_in_use: 'Remove it from its subscribers first. “Show its subscribers” lists them.',
    role_forbidden: 'Ask your administrator for another role.',
    unauthorized: 'Log in with the link at the top of the page.',
    forbidden: 'Ask your administrator for the right to do this.',
    unavailable: 'Wait a moment, then try again.',
    internal: 'Try again. If it keeps happening, see the server log.',
  } satisfies Partial<Record<ErrorCode, string>>,
  ADVICE_DE,
);

const codes = Object.keys(ERRORS).filter(isErrorCode);
// The object has a title for every code, because it is built from all codes.
const english = Object.fromEntries(codes.map((code) => [code, ERRORS[code].title])) as Record<ErrorCode, string>;
/** Titles of errors. */
export const TITLES = translated('errorTitles', english, TITLES_DE);

/** Reasons why a password is refused. */
export const WEAKNESSES = translated(
  'passwordWeaknesses',
  {
    too_short: `Use at least ${MIN_PASSWORD_LENGTH} characters. Shorter passwords are guessed quickly.`,
    contains_login: 'The password must not contain the login.',
    repeats: 'Use a greater variety of characters.',
    common: 'This password is easy to guess. Use a longer phrase, such as four words.',
    unchanged: 'The new password must differ from the current one.',
  } satisfies Record<PasswordWeakness, string>,
  WEAKNESSES_DE,
);

/** Faults of the connection to the server. */
export const LINK = translated(
  'link',
  {
    noAnswer: 'The server did not answer in time',
    badAnswer: 'The server sent an invalid answer',
    threadSilent: 'The server is not responding',
    none: 'No connection to the server',
    broke: 'The connection to the server was lost',
  },
  LINK_DE,
);
