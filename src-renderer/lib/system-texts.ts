import { translated } from '../i18n/translated.ts';
import { SYSTEM_FAULTS_DE } from './system-texts-de.ts';

/** What an operating system refuses, as people say it. */
export const SYSTEM_FAULTS = translated(
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
  SYSTEM_FAULTS_DE,
);
