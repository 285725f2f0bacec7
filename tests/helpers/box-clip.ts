import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Used part of the MP4Box API. */
interface BoxFile {
  onSegment: (track: number, user: unknown, buffer: ArrayBuffer) => void;
  onReady: (info: { readonly tracks: readonly { readonly id: number }[] }) => void;
  setSegmentOptions(track: number, user: unknown, options: object): void;
  initializeSegmentation(): { readonly buffer: ArrayBuffer };
  start(): void;
  appendBuffer(bytes: ArrayBuffer, isLast: boolean): void;
  flush(): void;
}

// The type declarations of the package do not match its exports.
const { createFile } = createRequire(import.meta.url)('mp4box-js') as {
  readonly createFile: (keepsMedia: boolean) => BoxFile;
};

/**
 * Rewrites an MP4 file into fragments with MP4Box for JavaScript by the makers of GPAC.
 *
 * @param fragmentSamples maximum samples of one track in each
 */
export function boxClip(from: string, fragmentSamples: number, to: string): void {
  const file = createFile(true);
  const pieces: ArrayBuffer[] = [];
  file.onSegment = (_track, _user, buffer) => pieces.push(buffer);
  file.onReady = ({ tracks }) => {
    for (const { id } of tracks)
      file.setSegmentOptions(id, undefined, { nbSamples: fragmentSamples, rapAlignement: true });
    pieces.push(file.initializeSegmentation().buffer);
    file.start();
  };
  const bytes = Object.assign(new Uint8Array(readFileSync(from)).buffer, { fileStart: 0 });
  file.appendBuffer(bytes, true);
  file.flush();
  writeFileSync(to, Buffer.concat(pieces.map((piece) => new Uint8Array(piece))));
}
