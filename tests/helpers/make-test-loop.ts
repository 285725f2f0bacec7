// Program: encodes the loop of a test picture into a file: `node make-test-loop.ts <options as JSON> <path>`. It is a
// separate process, so that no test loads FFmpeg.
import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';
import { testPicture } from '../../src-main/codec/jobs/test-picture.ts';
import type { TestPictureOptions } from '../../src-main/codec/test-picture/test-picture-options.ts';

const [json, path] = process.argv.slice(2);
if (!json || !path) throw new Error('usage: node make-test-loop.ts <options as JSON> <path>');
Log.setLevel(AV_LOG_QUIET);
// The argument is written by test-media.ts.
testPicture({ options: JSON.parse(json) as TestPictureOptions, path });
