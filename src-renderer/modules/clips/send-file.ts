import { ERRORS, explanationSchema, type ErrorCode } from '../../../src-preload/contract/index.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { TEXTS } from './texts.ts';

/** Upload function; resolves to null, or to the reason of the failure. */
export type SendFile = (
  address: string,
  file: Blob,
  progress: (part: number) => void,
  signal: AbortSignal,
) => Promise<string | null>;

/** Uploads a file by PUT and reports progress. Resolves to null, or to the reason of the failure; the signal aborts it. */
export const sendFile: SendFile = (address, file, progress, signal) =>
  new Promise((resolve) => {
    // fetch cannot report the progress of an upload.
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

/** Error message of a server answer; null for an answer of a proxy. */
export function refusal(text: string): string | null {
  try {
    // Fields are checked before use.
    const { error, errors } = JSON.parse(text) as {
      error?: string;
      errors?: { detail?: string; explanation?: unknown }[];
    };
    if (error === undefined || !Object.hasOwn(ERRORS, error)) return null;
    const { detail = '', explanation } = errors?.[0] ?? {};
    return errorSentence({
      code: error as ErrorCode,
      message: detail,
      explanation: explanationSchema.safeParse(explanation).data,
    });
  } catch {
    return null;
  }
}
