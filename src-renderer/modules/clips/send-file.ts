import { ERRORS, type ErrorCode } from '../../../src-preload/contract/index.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { TEXTS } from './texts.ts';

/** How a file was sent: nothing is wrong, or what is. */
export type SendFile = (
  address: string,
  file: Blob,
  progress: (part: number) => void,
  signal: AbortSignal,
) => Promise<string | null>;

/** Sends a file by PUT and says how far it is. Resolves with null, or with why it did not come; a signal ends it. */
export const sendFile: SendFile = (address, file, progress, signal) =>
  new Promise((resolve) => {
    // Unlike fetch it says how much of a body was sent.
    const request = new XMLHttpRequest();
    request.open('PUT', address);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 201) return resolve(null);
      resolve(refusal(request.responseText) ?? TEXTS.answered(request.status));
    };
    request.onerror = () => resolve(TEXTS.connectionLost);
    request.onabort = () => resolve(TEXTS.uploadCancelled);
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });

/** The error of an answer of the server in words; null for an answer of something between. */
export function refusal(text: string): string | null {
  try {
    // What it has is looked at before it is used.
    const { error, errors } = JSON.parse(text) as { error?: string; errors?: { detail?: string }[] };
    if (error === undefined || !Object.hasOwn(ERRORS, error)) return null;
    return errorSentence({ code: error as ErrorCode, message: String(errors?.[0]?.detail ?? '') });
  } catch {
    return null;
  }
}
