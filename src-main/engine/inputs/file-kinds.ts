import { ExternalInput } from '../../ingest/external/external-input.ts';
import { FileInput, type FileInputOptions } from '../../ingest/file/file-input.ts';
import { PlaylistInput } from '../../ingest/playlist/playlist-input.ts';
import { optionsOf, type InputKind, type InputMakerOptions } from './input-kind.ts';

/** `file://`: a file, repeated unless `loop=false`. */
export const file: InputKind = {
  open: (spec, sink, { clock, fileRoot, allowed, external, turns }) => {
    const options = optionsOf(spec);
    const question = spec.url.indexOf('?');
    const path = spec.url.slice('file://'.length, question < 0 ? undefined : question);
    const program = Number(options.get('program') ?? 0);
    const openOther = otherFiles(clock, external);
    return new FileInput(
      {
        path,
        root: fileRoot,
        locate: allowed.locateConfigured,
        loop: options.get('loop') !== 'false',
        clock,
        turns,
        openOther,
        ...(program > 0 ? { program } : {}),
      },
      sink,
    );
  },
};

/** `playlist://`: a list of files. */
export const playlist: InputKind = {
  open: (spec, sink, { clock, fileRoot, allowed, external, playlists, turns }, streamName) => {
    const path = spec.url.slice('playlist://'.length).replace(/\?.*$/, '');
    const loop = optionsOf(spec).get('loop') !== 'false';
    const input = new PlaylistInput(
      {
        path,
        root: fileRoot,
        locate: allowed.locateConfigured,
        locateEntry: allowed.locate,
        locateNamed: allowed.locateNamed,
        loop,
        clock,
        turns,
        openOther: otherFiles(clock, external),
      },
      sink,
    );
    playlists.add(streamName, input);
    return input;
  },
};

/** Opens files in formats that FFmpeg must read. */
function otherFiles(
  clock: InputMakerOptions['clock'],
  external: InputMakerOptions['external'],
): NonNullable<FileInputOptions['openOther']> {
  return ({ path, ...rest }, sink) =>
    new ExternalInput(
      { ...external, clock, ...rest, address: { kind: 'file', url: `file:${path}`, options: {} } },
      sink,
    );
}
