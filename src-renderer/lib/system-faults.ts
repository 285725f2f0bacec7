import { SYSTEM_FAULTS } from './system-texts.ts';

/**
 * Message of Node.js: `connect ECONNREFUSED 127.0.0.1:80`, `listen EADDRINUSE: address already in use 0.0.0.0:80`, `getaddrinfo
 * ENOTFOUND host`.
 */
const CALL_MESSAGE =
  /^(?:connect|listen|bind|read|write|getaddrinfo|send) (E[A-Z_]+)(?::? [a-z][a-z ]*?)?(?: ([^\s]+))?$/;
/** Message of Node.js about a file: `ENOENT: no such file or directory, open '/srv/x'`. */
const FILE_MESSAGE = /^(E[A-Z_]+): [a-z ,]+? [a-z]+ '([^'\n]+)'(?: -> '[^'\n]+')?$/;

/** A host with a message of the system. */
const HOST_MESSAGE = /^([^\s]+): ((?:connect|getaddrinfo|read|write|send) E[A-Z_]+.*)$/;

/** `AVERROR_INVALIDDATA` of FFmpeg. */
const BAD_DATA = '-1094995529';

/** Describes an error of the operating system or of FFmpeg, with its code at the end; undefined for other texts. */
function systemFault(text: string): string | undefined {
  if (text === BAD_DATA) return SYSTEM_FAULTS.badData;
  // `host: connect ECONNREFUSED address`: the host before the message of the system.
  const [, host = '', message = ''] = HOST_MESSAGE.exec(text) ?? [];
  const hostFault = host === '' ? undefined : systemFault(message);
  if (hostFault !== undefined) return hostFault.startsWith(`${host}: `) ? hostFault : `${host}: ${hostFault}`;
  const [, code, subject] = CALL_MESSAGE.exec(text) ?? FILE_MESSAGE.exec(text) ?? [];
  if (code === undefined || !(code in SYSTEM_FAULTS)) return undefined;
  const template = String(Reflect.get(SYSTEM_FAULTS, code));
  return subject === undefined ? `${template} (${code})` : `${subject}: ${template} (${code})`;
}

/** Translates a message of the operating system. Other messages stay unchanged. */
export function systemText(text: string): string {
  return systemFault(text) ?? text;
}
