import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { until } from '../../tests/helpers/until.ts';
import type { ConformOutput } from '../codec/clip/clip-target.ts';
import { ConfigDocument } from '../config/document.ts';
import { Database } from '../db/database.ts';
import { JobRepository } from '../db/job-repository.ts';
import { silentLog } from '../lib/log.ts';
import { openClips, type ClipsDeps } from './clips.ts';

it('the unfinished file of a running clip job cannot be removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-clips-unit-'));
  const root = join(folder, 'ads');
  mkdirSync(root);
  writeFileSync(join(root, 'raw.mov'), '');
  const clock = new FakeClock();
  const database = Database.open(join(folder, 'airdesk.db'), { log: silentLog, now: () => clock.now() });
  const { config } = ConfigDocument.parse(`vod ads { storage ${root}; } file_processor { path ads; }`);
  if (!config) throw new Error('the configuration has mistakes');
  const conformed = Promise.withResolvers<ConformOutput>();
  const unfinished: string[] = [];
  const processes = {
    run: ({ output }: { readonly output: string }) => {
      writeFileSync(output, '');
      unfinished.push(output);
      return { outcome: conformed.promise, stop: () => Promise.resolve(conformed.reject(new Error('stopped'))) };
    },
    survey: () => Promise.reject(new Error('unused')),
  } as unknown as ClipsDeps['processes'];
  const clips = openClips({
    options: { clock, log: silentLog, dataFolder: folder },
    config: () => config,
    events: { emit: () => undefined },
    repository: new JobRepository(database.connection, 'clip_job'),
    processes,
    streams: { get: () => undefined },
    inspect: () => Promise.reject(new Error('unused')),
  });
  const track = { content: 'video', codec: 'h264', track_id: 'v1', width: 640, height: 360, profile: 'High' } as const;
  const transcoder = { tracks: [{ ...track, level: '3.1', fps: 25 }] };
  const job = await clips.service.create(
    { input_files: ['raw.mov'], output_file: 'clip', filters: [{ group: 'transcoder', transcoder }] },
    'ana',
  );
  clock.advance(2000);
  await until('the unfinished file', () => unfinished.length > 0, 10_000);
  const path = `ads/${job.request.outputFile}.tmp`;
  const place = { location: 'ads', root };
  for (const [name, from] of [[path], [path, place], [path.replace('/', '//'), place]] as const)
    await expect(clips.uploads.remove(name, from), name).rejects.toMatchObject({ code: 'job_running' });
  expect(existsSync(unfinished[0] ?? '')).toBe(true);
  await clips.service.remove(job.id);
  expect(existsSync(unfinished[0] ?? '')).toBe(false);
  await clips.close();
  database.close();
  rmSync(folder, { recursive: true });
});
