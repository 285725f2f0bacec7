import { AV_CODEC_FLAG_GLOBAL_HEADER, AV_OPT_SEARCH_CHILDREN, AV_OPT_TYPE_STRING } from 'node-av/constants';
import { Codec, CodecContext } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { throwOnError } from './codec-error.ts';

/**
 * Opens an encoder with global headers.
 * @param set sets fields of the context and returns FFmpeg options
 */
export function openEncoder(
  name: Parameters<typeof Codec.findEncoderByName>[0],
  set: (context: CodecContext) => Record<string, string>,
): CodecContext {
  const codec = Codec.findEncoderByName(name);
  if (!codec) throw new AirdeskError('internal', `There is no encoder ${name}`);
  const context = new CodecContext();
  context.allocContext3(codec);
  const options = set(context);
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  // No `Dictionary`: `open2` frees it, and its wrapper would free it again when it is garbage-collected.
  for (const [key, value] of Object.entries(options)) {
    throwOnError(
      context.setOption(key, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN),
      'internal',
      `Setting ${key} of the encoder ${name}`,
    );
  }
  throwOnError(context.open2Sync(codec), 'internal', `Opening the encoder ${name}`);
  return context;
}
