import { expect, it } from 'vitest';
import { ffmpeg } from '../../../../tests/helpers/ffmpeg-media.ts';
import { readMovie } from './movie.ts';

const CENC = [
  '-encryption_scheme',
  'cenc-aes-ctr',
  '-encryption_key',
  '0'.repeat(31) + '1',
  '-encryption_kid',
  '1'.repeat(32),
];
const FRAGMENTED = ['-f', 'mp4', '-movflags', 'frag_keyframe+empty_moov'];
const VIDEO = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=0.4'];
const AUDIO = ['-f', 'lavfi', '-i', 'sine=duration=0.4'];
const CODECS = ['-c:v', 'libx264', '-c:a', 'aac'];

it('readMovie reports the encryption of each track of an encrypted file', () => {
  const movie = readMovie(ffmpeg([...VIDEO, ...AUDIO, ...CODECS, ...CENC, ...FRAGMENTED]));
  expect(movie?.tracks).toEqual([]);
  expect(movie?.problems.map(({ detail, leftOut }) => ({ detail, leftOut }))).toEqual([
    {
      detail: 'Track 1: the H.264 is encrypted. Send it without encryption (DRM)',
      leftOut: [{ content: 'video', codec: 'H.264', isEncrypted: true }],
    },
    {
      detail: 'Track 2: the AAC is encrypted. Send it without encryption (DRM)',
      leftOut: [{ content: 'audio', codec: 'AAC', isEncrypted: true }],
    },
  ]);
});

it('readMovie lists the clear track of a file with an encrypted track', () => {
  const file = Buffer.from(ffmpeg([...VIDEO, ...AUDIO, ...CODECS, ...FRAGMENTED]));
  file.write('encv', file.indexOf('avc1', file.indexOf('stsd')));
  const movie = readMovie(file);
  expect(movie?.tracks.map(({ track }) => track.codec)).toEqual(['aac']);
  expect(movie?.problems.map(({ detail }) => detail)).toEqual([
    'Track 1: the encv is encrypted. Send it without encryption (DRM)',
  ]);
});

it('readMovie omits a track if only its first sample entry is clear', () => {
  const file = Buffer.from(ffmpeg([...VIDEO, ...CODECS, ...CENC, ...FRAGMENTED]));
  const at = file.indexOf('stsd') + 12;
  const sizeBytes = file.readUInt32BE(at);
  const clear = Buffer.from(file.subarray(at, at + sizeBytes));
  clear.write('avc1', 4);
  // The clear sample entry is inserted before the encrypted one, so all boxes around it grow.
  const grown = Buffer.concat([file.subarray(0, at), clear, file.subarray(at)]);
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']) {
    const start = grown.indexOf(type) - 4;
    grown.writeUInt32BE(grown.readUInt32BE(start) + sizeBytes, start);
  }
  grown.writeUInt32BE(2, at - 4);
  expect(readMovie(grown)).toMatchObject({ tracks: [], problems: [{ code: 'codec_unknown' }] });
});
