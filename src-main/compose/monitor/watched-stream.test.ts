import { expect, it } from 'vitest';
import { configOf } from '../../../tests/helpers/config-of.ts';
import { StreamEntry } from '../../streams/stream-entry.ts';
import { watchedStream } from './watched-stream.ts';

it('expects neither frames nor a recording of a stream of which only the archive is left', () => {
  const config = configOf('live studio { dvr records; }');
  const settings = config.lives.get('studio');
  if (!settings) throw new Error('no prefix');
  const entry = new StreamEntry('studio/a', settings, false, 1000);
  const watched = (): unknown[] => {
    const past = { lastFrameMs: 5000, lastSpliceMs: 0 };
    const { isExpected, isRecordingExpected } = watchedStream(entry, past, null, 90_000, {
      config: () => config,
      options: { dataFolder: '/data' },
    });
    return [isExpected, isRecordingExpected];
  };
  expect(watched()).toEqual([true, true]);
  entry.keepArchive();
  expect(watched()).toEqual([false, false]);
});
