import { SYSTEM_FAULTS } from './system-texts.ts';

/**
 * Message of Node.js: `connect ECONNREFUSED 127.0.0.1:80`, `listen EADDRINUSE: address already in use 0.0.0.0:80`, `getaddrinfo
 * ENOTFOUND host`.
 */
const OF_CALL = /^(?:connect|listen|bind|read|write|getaddrinfo|send) (E[A-Z_]+)(?::? [a-z][a-z ]*?)?(?: ([^\s]+))?$/;
/** Message of Node.js about a file: `ENOENT: no such file or directory, open '/srv/x'`. */
const OF_FILE = /^(E[A-Z_]+): [a-z ,]+? [a-z]+ '([^'\n]+)'(?: -> '[^'\n]+')?$/;

/** A host with a message of the system. */
const OF_HOST = /^([^\s]+): ((?:connect|getaddrinfo|read|write|send) E[A-Z_]+.*)$/;

/** `AVERROR_INVALIDDATA` of FFmpeg. */
const BAD_DATA = '-1094995529';

/** Describes an error of the operating system or of FFmpeg, with its code at the end; undefined for other texts. */
function systemFault(text: string): string | undefined {
  if (text === BAD_DATA) return SYSTEM_FAULTS.badData;
  // `host: connect ECONNREFUSED address`: the host before the message of the system.
  const [, host = '', message = ''] = OF_HOST.exec(text) ?? [];
  const ofHost = host === '' ? undefined : systemFault(message);
  if (ofHost !== undefined) return ofHost.startsWith(`${host}: `) ? ofHost : `${host}: ${ofHost}`;
  const [, code, subject] = OF_CALL.exec(text) ?? OF_FILE.exec(text) ?? [];
  if (code === undefined || !(code in SYSTEM_FAULTS)) return undefined;
  const template = String(Reflect.get(SYSTEM_FAULTS, code));
  return subject === undefined ? `${template} (${code})` : `${subject}: ${template} (${code})`;
}

/** Message of another program in words, if it is one of the operating system. */
export function systemText(text: string): string {
  return systemFault(text) ?? text;
}
