import { join } from 'node:path';
import { ClipProcesses } from '../codec/clip-processes.ts';
import { CodecPool } from '../codec/codec-pool.ts';
import { HostedChildren } from '../codec/hosted-children.ts';
import { TestPictureCache } from '../codec/test-picture-cache.ts';
import { UrlReaders } from '../codec/url-readers.ts';
import { Pictures } from '../control/archive/pictures.ts';
import type { ContentProbesOptions } from '../control/alarms/content-probes.ts';
import type { MakeSprite } from '../control/archive/thumbnails.ts';
import type { CutPictures } from '../export/thread/exact-format.ts';
import { earlyKeyFrame, newestKeyFrame } from '../packaging/mp4/key-frame.ts';
import type { ServerOptions } from './server-options.ts';

/** Services that run in codec processes. */
export interface CodecUnit {
  readonly testPictures: TestPictureCache;
  readonly urlReaders: UrlReaders;
  readonly pictures: Pictures;
  /** Re-encodes pictures of a range. */
  readonly cutPictures: CutPictures;
  readonly makeSprite: MakeSprite;
  /** Decodes key frames and sound for alarms, in a separate process. */
  readonly probe: ContentProbesOptions['probe'];
  readonly clips: ClipProcesses;
  close(): Promise<unknown>;
}

/**
 * Opens the unit that starts codec processes, directly or through a host if this process may not fork. The first
 * process starts when there is work.
 */
export function openCodec({
  dataFolder,
  codecProcessEntry: entry,
  codecHost,
  clock,
  log,
}: Pick<ServerOptions, 'dataFolder' | 'codecProcessEntry' | 'codecHost' | 'clock' | 'log'>): CodecUnit {
  const cacheFolder = join(dataFolder, 'cache');
  const hosted = codecHost && new HostedChildren(codecHost, clock);
  const startChild = hosted?.start.bind(hosted);
  const pool = new CodecPool({ entry, startChild, clock, log });
  const probePool = new CodecPool({ entry, startChild, clock, log, size: 1 });
  const urlReaders = new UrlReaders({ entry, startChild, cacheFolder, clock, log });
  const clips = new ClipProcesses({ entry, startChild, clock });
  return {
    clips,
    probe: async (input) => probePool.run('probe', input),
    testPictures: new TestPictureCache({ folder: cacheFolder, maker: pool }),
    urlReaders,
    cutPictures: async (input) => pool.run('cut-pictures', input),
    pictures: new Pictures(
      async (frame) => (await pool.run('picture', frame)).jpeg,
      ({ window }) => (window.mutability === 'static' ? earlyKeyFrame(window) : newestKeyFrame(window)),
    ),
    makeSprite: async (input) => (await pool.run('sprite', input)).jpeg,
    async close() {
      await Promise.all([pool.close(), probePool.close(), urlReaders.close(), clips.close()]);
      await hosted?.close();
    },
  };
}
