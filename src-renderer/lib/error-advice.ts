import { ERRORS } from '../../src-preload/contract/index.ts';
import type { ErrorCode, ErrorValue } from '../../src-preload/contract/index.ts';

/** What the operator can do about an error, where there is something. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  bad_stream_name: 'Use letters, digits and . _ - ~ @ + only.',
  stream_exists: 'Choose another name, or remove that stream first.',
  stream_not_found: 'It may have been removed from another desk.',
  stream_not_configured: 'Its publisher made it. Stop the encoder, and it goes away.',
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
};

/** An error in words for the operator: what is wrong, what exactly, and what to do. */
export function errorSentence(error: ErrorValue): string {
  const title = ERRORS[error.code].title;
  const detail = error.message !== '' && error.message !== title ? `: ${error.message}` : '';
  const advice = ADVICE[error.code];
  return `${title}${detail}.${advice === undefined ? '' : ` ${advice}`}`.replace(/\.\.+/g, '.');
}
