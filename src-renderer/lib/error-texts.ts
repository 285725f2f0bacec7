import { ERRORS, isErrorCode } from '../../src-preload/contract/index.ts';
import type { ErrorCode } from '../../src-preload/contract/index.ts';
import { translated } from '../i18n/translated.ts';
import { ADVICE_DE, LINK_DE, TITLES_DE } from './error-texts-de.ts';

/** What the operator can do about an error, where there is something. */
export const ADVICE = translated(
  'errorAdvice',
  {
    bad_stream_name: 'Use letters, digits and . _ - ~ @ + only.',
    stream_exists: 'Choose another name, or remove that stream first.',
    stream_not_found: 'It may have been removed from another desk.',
    stream_not_configured: 'Its publisher made it. Stop the encoder, and it goes away.',
    stream_archived: 'Delete its archive, or wait until it is past its time.',
    bad_input_url: 'Check the protocol and the spelling of the address.',
    input_not_supported: 'For a stream over HTTP use hls:// or tshttp://.',
    input_file_not_found: 'Check the path: it is a path on the server, not on this computer.',
    input_unreachable: 'Check that the other side runs and that the network lets the server through.',
    config_changed_since: 'Look at what changed in the configuration meanwhile.',
    config_not_saved: 'Check that the disk of the server is not full and that the configuration file may be written.',
    package_in_use: 'Detach it from them first: Who has it lists them.',
    unauthorized: 'Log in: the link stands beside the name of the server.',
    forbidden: 'Ask the administrator of the server for the right to change streams.',
    unavailable: 'Wait until the connection is back, then try again.',
    internal: 'Try again. If it stays, the log of the server says more.',
  } satisfies Partial<Record<ErrorCode, string>>,
  ADVICE_DE,
);

const codes = Object.keys(ERRORS).filter(isErrorCode);
// Each code has an entry, because they are made of all codes.
const english = Object.fromEntries(codes.map((code) => [code, ERRORS[code].title])) as Record<ErrorCode, string>;
/** What errors are called. */
export const TITLES = translated('errorTitles', english, TITLES_DE);

/** What is wrong with the link to the server. */
export const LINK = translated(
  'link',
  {
    noAnswer: 'The server gave no answer in time',
    badAnswer: 'The answer of the server is not understood',
    threadSilent: 'The server thread does not answer',
    none: 'There is no connection to the server',
    broke: 'The connection to the server broke',
  },
  LINK_DE,
);
