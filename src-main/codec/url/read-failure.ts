import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { constants } from 'node:os';
import {
  AVERROR_EOF,
  AVERROR_EXIT,
  AVERROR_HTTP_FORBIDDEN,
  AVERROR_HTTP_NOT_FOUND,
  AVERROR_HTTP_UNAUTHORIZED,
  AVERROR_INVALIDDATA,
} from 'node-av/constants';
import { FFmpegError } from 'node-av/lib';
import type { FeedEnd } from '../../lib/feed/feed-description.ts';
import { maskSecrets } from '../../lib/mask-secrets.ts';
import { SRT_CONNECT_MS, type UrlKind } from './url-options.ts';

/** Log lines of FFmpeg; the last lines contain the reason of a failure. */
export class FfmpegLog {
  #lines: string[] = [];

  read(line: string): void {
    // Removes the address, which the operator knows, and FFmpeg's options.
    const text = line.trim().replace(/^Connection to \S+ failed: /, '');
    if (text !== '' && !this.#lines.includes(text)) this.#lines = [...this.#lines.slice(-3), text];
  }

  /** Meaning of a result code, followed by the last log lines. */
  of(result: number): string {
    const meaning = new FFmpegError(result).message;
    const more = this.#lines.filter((line) => line !== meaning);
    return maskSecrets([meaning, ...more].join('; ')).slice(0, 500);
  }
}

/**
 * End of an input whose address could not be opened.
 * @param tookMs duration of the attempt
 */
export function openFailure(kind: UrlKind, result: number, log: FfmpegLog, tookMs: number): FeedEnd {
  const detail = log.of(result);
  if (kind === 'file' || kind === 'sdp') {
    if (result === -constants.errno.ENOENT) return { code: 'input_file_not_found', detail };
    return { code: 'input_unreadable', ...because('file_not_parsed', { explanation: { detail } }) };
  }
  if (result === AVERROR_HTTP_UNAUTHORIZED || /\b401\b|unauthorized|access denied/i.test(detail)) {
    return {
      code: 'input_refused',
      ...because('login_needed', { explanation: { detail } }),
    };
  }
  if (kind === 'rtsp' && /\b461\b/.test(detail)) {
    return {
      code: 'input_refused',
      ...because('rtsp_transport', { explanation: { detail } }),
    };
  }
  if (result === AVERROR_HTTP_FORBIDDEN || result === AVERROR_HTTP_NOT_FOUND || /\b(403|404|454|461)\b/.test(detail)) {
    return { code: 'input_refused', ...because('source_refused', { explanation: { detail } }) };
  }
  if (kind === 'srt' && tookMs < SRT_CONNECT_MS / 2) {
    return {
      code: 'input_refused',
      ...because('srt_refused', { explanation: { detail } }),
    };
  }
  if (result === AVERROR_INVALIDDATA) return { code: 'input_unreadable', detail };
  return { code: 'input_unreachable', ...because('no_connection', { explanation: { detail } }) };
}

/** End of an input whose address was opened. */
export function readFailure(result: number, log: FfmpegLog): FeedEnd {
  if (result === AVERROR_EOF) return { code: 'input_ended', ...because('source_ended') };
  if (result === AVERROR_EXIT) return { code: 'input_ended', ...because('input_closed') };
  if (result === -constants.errno.ETIMEDOUT) return { code: 'input_stalled', detail: log.of(result) };
  return { code: 'input_ended', ...because('connection_broke', { explanation: { detail: log.of(result) } }) };
}
