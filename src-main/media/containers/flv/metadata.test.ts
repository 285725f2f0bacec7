import { expect, it } from 'vitest';
import { amfObject } from '../rtmp/amf0.ts';
import { readMetadata, writeMetadata } from './metadata.ts';

it.each([
  [
    'codec numbers',
    { videocodecid: 7, audiocodecid: 10, encoder: 'Lavf59' },
    { videoCodec: 'avc1', audioCodec: 'mp4a', encoder: 'Lavf59' },
  ],
  [
    'FourCCs as numbers',
    { videocodecid: 0x68766331, audiocodecid: 0x4f707573 },
    { videoCodec: 'hvc1', audioCodec: 'Opus' },
  ],
  ['FourCCs as texts', { videocodecid: 'avc1', audiocodecid: 'mp4a' }, { videoCodec: 'avc1', audioCodec: 'mp4a' }],
  ['a picture size only', { width: 640, height: 360 }, { videoCodec: '' }],
  ['a sample rate only', { audiosamplerate: 48_000 }, { audioCodec: '' }],
  ['metadata without codecs', { duration: 0 }, {}],
])('readMetadata reads %s', (_, properties, expected) => {
  expect(readMetadata(writeMetadata(properties))).toEqual(expected);
  expect(readMetadata(['@setDataFrame', ...writeMetadata(properties)])).toEqual(expected);
});

it('readMetadata accepts an object or an array', () => {
  expect(readMetadata(['onMetaData', amfObject({ videocodecid: 12 })])).toEqual({ videoCodec: 'hvc1' });
});

it.each([[[]], [['onTextData', amfObject({})]], [['onMetaData', 'nothing']], [['@setDataFrame']]])(
  'readMetadata returns undefined for other messages: %j',
  (values) => {
    expect(readMetadata(values)).toBeUndefined();
  },
);
