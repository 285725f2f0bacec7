import { translated } from '../i18n/translated.ts';

/** What an operating system refuses, as people say it. */
const WORDS = translated(
  'systemFaults',
  {
    ECONNREFUSED: 'the connection is refused',
    ECONNRESET: 'the other side broke the connection off',
    EPIPE: 'the other side broke the connection off',
    ETIMEDOUT: 'there is no answer',
    EHOSTUNREACH: 'no way leads there',
    ENETUNREACH: 'no way leads there',
    ENOTFOUND: 'there is no machine of this name',
    EAI_AGAIN: 'names cannot be looked up',
    EADDRINUSE: 'the port is taken by another program',
    EADDRNOTAVAIL: 'this machine does not have the address',
    EACCES: 'that is not allowed',
    EPERM: 'that is not allowed',
    ENOENT: 'it is not there',
    ENOSPC: 'the disk is full',
    EROFS: 'the disk may only be read',
    EIO: 'the disk cannot be read or written',
    EMFILE: 'too many files are open',
    badData: 'it is no media file, or a damaged one',
  },
  {
    ECONNREFUSED: 'die Verbindung wird abgelehnt',
    ECONNRESET: 'die andere Seite brach die Verbindung ab',
    EPIPE: 'die andere Seite brach die Verbindung ab',
    ETIMEDOUT: 'es kommt keine Antwort',
    EHOSTUNREACH: 'kein Weg führt dorthin',
    ENETUNREACH: 'kein Weg führt dorthin',
    ENOTFOUND: 'einen Rechner dieses Namens gibt es nicht',
    EAI_AGAIN: 'Namen lassen sich nicht auflösen',
    EADDRINUSE: 'ein anderes Programm hat den Port',
    EADDRNOTAVAIL: 'dieser Rechner hat die Adresse nicht',
    EACCES: 'das ist nicht erlaubt',
    EPERM: 'das ist nicht erlaubt',
    ENOENT: 'es ist nicht da',
    ENOSPC: 'der Datenträger ist voll',
    EROFS: 'der Datenträger lässt sich nur lesen',
    EIO: 'der Datenträger lässt sich nicht lesen oder beschreiben',
    EMFILE: 'zu viele Dateien sind offen',
    badData: 'es ist keine Mediendatei, oder eine beschädigte',
  },
);
/** As Node.js says it: `connect ECONNREFUSED 127.0.0.1:80`, `listen EADDRINUSE: address already in use 0.0.0.0:80`, `getaddrinfo ENOTFOUND host`. */
const OF_CALL = /^(?:connect|listen|bind|read|write|getaddrinfo|send) (E[A-Z_]+)(?::? [a-z][a-z ]*?)?(?: ([^\s]+))?$/;
/** `ENOENT: no such file or directory, open '/srv/x'`. */
const OF_FILE = /^(E[A-Z_]+): [a-z ,]+? [a-z]+ '([^'\n]+)'(?: -> '[^'\n]+')?$/;

/** `AVERROR_INVALIDDATA` of FFmpeg. */
const BAD_DATA = '-1094995529';

/** What a call of the operating system or of FFmpeg refused, in words with the code behind; undefined for another text. */
export function systemFault(text: string): string | undefined {
  if (text === BAD_DATA) return WORDS.badData;
  const [, code, subject] = OF_CALL.exec(text) ?? OF_FILE.exec(text) ?? [];
  if (code === undefined || !(code in WORDS)) return undefined;
  const words = String(Reflect.get(WORDS, code));
  return subject === undefined ? `${words} (${code})` : `${subject}: ${words} (${code})`;
}
