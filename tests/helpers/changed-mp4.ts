import { readMovie } from '../../src-main/media/containers/isobmff/movie.ts';

/** Rewrites the numbers of a track's last edit. @param track position in the file, from 0 */
export function withEdit(
  file: Buffer,
  track: number,
  edit: { readonly durationTicks?: number; readonly mediaTicks?: number },
): Buffer {
  const bytes = Buffer.from(file);
  let at = -1;
  for (let count = 0; count <= track; count++) at = bytes.indexOf('elst', at + 1);
  if (at < 0 || bytes.readUInt32BE(at + 4) !== 0) throw new Error('there is no edit list of version 0');
  const last = at + bytes.readUInt32BE(at + 8) * 12;
  if (edit.durationTicks !== undefined) bytes.writeUInt32BE(edit.durationTicks, last);
  if (edit.mediaTicks !== undefined) bytes.writeInt32BE(edit.mediaTicks, last + 4);
  return bytes;
}

/** Gives the NAL units of the first video track shorter lengths. Its chunks must be between those of another track. */
export function withShortLengths(file: Buffer, lengthBytes: 1 | 2): Buffer {
  const bytes = Buffer.from(file);
  const moovAt = bytes.indexOf('moov') - 4;
  const movie = readMovie(file.subarray(moovAt, moovAt + file.readUInt32BE(moovAt)));
  const cursor = movie?.tracks.find(({ track }) => track.content === 'video')?.samples();
  if (!cursor) throw new Error('there are no pictures');
  const sizesAt = sizesOfVideo(bytes, moovAt);
  let readTo = -1;
  let writeAt = 0;
  for (let index = 0; cursor.next(); index++) {
    const { offset, sizeBytes } = cursor;
    if (offset !== readTo) writeAt = offset;
    readTo = offset + sizeBytes;
    const start = writeAt;
    for (let from = offset; from < readTo;) {
      const length = file.readUInt32BE(from);
      writeAt = bytes.writeUIntBE(length, writeAt, lengthBytes);
      writeAt += file.copy(bytes, writeAt, from + 4, from + 4 + length);
      from += 4 + length;
    }
    bytes.writeUInt32BE(writeAt - start, sizesAt + index * 4);
  }
  const minusOneAt = bytes.indexOf('avcC') + 8;
  bytes[minusOneAt] = ((bytes[minusOneAt] ?? 0) & 0xfc) | (lengthBytes - 1);
  return bytes;
}

/** Start of the sample sizes of the first video track in its `stsz`. */
function sizesOfVideo(bytes: Buffer, moovAt: number): number {
  const handlerAt = bytes.indexOf('vide', moovAt);
  return bytes.indexOf('stsz', handlerAt) + 16;
}
