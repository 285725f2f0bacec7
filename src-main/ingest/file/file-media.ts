import type { FormatProblem, MediaSink } from '../../media/access-unit.ts';
import type { InputEnd } from '../input.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';
import { fileKindOf, KIND_BYTES } from '../../media/containers/file-kind.ts';
import type { FilePass } from './file-pass.ts';
import { openMovie } from '../../media/containers/isobmff/movie-file.ts';
import { Mp4Pass } from './mp4-pass.ts';
import { TsPass } from './ts-pass.ts';

/** Media of a file of a supported kind. */
export interface FileMedia {
  /** Duration in milliseconds, if the container states one. */
  readonly durationMs?: number;
  /** Problems for unsupported content of the container. */
  readonly problems: readonly FormatProblem[];
  /** Whether there is certainly nothing to play. */
  readonly isEmpty: boolean;
  /** Creates a pass from the start of the file. @param received called with the number of bytes read */
  pass(sink: MediaSink, received: (bytes: number) => void): FilePass;
}

/**
 * Detects the media of a file by its content; undefined for another kind, the reason if it is damaged.
 *
 * @param program of a transport stream; default: the first with audio or video
 */
export async function readFileMedia(file: FileBytes, program?: number): Promise<FileMedia | InputEnd | undefined> {
  const head = new Uint8Array(KIND_BYTES);
  const kind = fileKindOf(head.subarray(0, await file.read(head, 0)));
  // MKV and WebM are read through FFmpeg, which supports all their content.
  if (kind === undefined || kind === 'matroska') return undefined;
  if (kind === 'mpegts')
    return {
      problems: [],
      isEmpty: false,
      pass: (sink, received) => new TsPass(file, program, sink, received),
    };
  const movie = await openMovie(file);
  if (typeof movie === 'string') return { code: 'input_unreadable', detail: movie };
  const { durationMs, problems, tracks } = movie;
  return {
    ...(durationMs === undefined ? {} : { durationMs }),
    problems,
    isEmpty: tracks.length === 0,
    pass: (sink, received) => new Mp4Pass(file, movie, sink, received),
  };
}
