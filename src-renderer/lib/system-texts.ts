import { translated } from '../i18n/translated.ts';
import { SYSTEM_FAULTS_DE } from './system-texts-de.ts';

/** Errors of the operating system in everyday words. */
export const SYSTEM_FAULTS = translated(
  'systemFaults',
  {
    ECONNREFUSED: 'connection refused',
    ECONNRESET: 'the other side closed the connection',
    EPIPE: 'the other side closed the connection',
    ETIMEDOUT: 'no answer',
    EHOSTUNREACH: 'there is no route to the host',
    ENETUNREACH: 'there is no route to the network',
    ENOTFOUND: 'the host name was not found',
    EAI_AGAIN: 'host names cannot be resolved',
    EADDRINUSE: 'another program uses the port',
    EADDRNOTAVAIL: 'this machine does not have the address',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    ENOENT: 'no such file or folder',
    ENOSPC: 'the disk is full',
    EROFS: 'the disk is read-only',
    EIO: 'the disk cannot be read or written',
    EMFILE: 'too many files are open',
    badData: 'it is not a media file, or it is damaged',
  },
  SYSTEM_FAULTS_DE,
);
