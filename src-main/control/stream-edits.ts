import { AirdeskError, type CallInput } from '../../src-preload/contract/index.ts';
import { INPUT_SCHEMES, inputFault } from '../engine/inputs/make-input.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Streams } from '../streams/streams.ts';

/** Adds a stream to the configuration and opens it. */
export async function addStream(
  configuration: Configuration,
  wanted: CallInput<'streams.add'>,
  by: ChangedBy,
): Promise<void> {
  if (configuration.config.streams.has(wanted.name))
    throw new AirdeskError('stream_exists', `There is a stream ${wanted.name} already`);
  checkInputUrl(wanted.input_url);
  await configuration.changes.edit(
    [
      {
        edit: 'addStream',
        name: wanted.name,
        directives: [
          ...(wanted.title === undefined || wanted.title === '' ? [] : [{ name: 'title', args: [wanted.title] }]),
          { name: 'input', args: [wanted.input_url] },
          ...(wanted.password === undefined || wanted.password === ''
            ? []
            : [{ name: 'password', args: [wanted.password] }]),
        ],
      },
    ],
    by,
  );
}

/**
 * Removes a stream: from the configuration, or, if a publisher made it, from the server until it comes back.
 *
 * @returns the version that this made, where it can be undone
 */
export async function removeStream(
  configuration: Configuration,
  streams: Streams,
  name: string,
  by: ChangedBy,
): Promise<number | null> {
  if (configuration.config.streams.has(name)) {
    const { versionId } = await configuration.changes.edit([{ edit: 'removeStream', name }], by);
    return versionId !== null && configuration.history.get(versionId).parentId !== null ? versionId : null;
  }
  if (!streams.get(name)) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
  await streams.forget(name);
  return null;
}

function checkInputUrl(url: string): void {
  const scheme = /^([a-z][a-z0-9]*):\/\//.exec(url)?.[1];
  if (scheme === undefined)
    throw new AirdeskError(
      'bad_input_url',
      'An input begins with a scheme, for example udp://239.0.0.1:1234 or publish://',
    );
  if (scheme !== 'publish' && !INPUT_SCHEMES.includes(scheme)) {
    throw new AirdeskError(
      'input_not_supported',
      `${scheme}:// cannot be read; these can: publish://, ${INPUT_SCHEMES.map((known) => `${known}://`).join(', ')}`,
    );
  }
  // As the reader will see it: what cannot become right is not written.
  const fault = inputFault({ url, options: {} });
  if (fault) throw new AirdeskError('bad_input_url', fault.detail);
}
