import { AdtsSplitter } from '../../codecs/aac/splitter.ts';
import type { AssemblerOptions, AudioSplitter, VideoAssembler } from '../../codecs/assembler.ts';
import { H264Assembler } from '../../codecs/h264/assembler.ts';
import type { Descriptor } from './descriptor.ts';
import type { PmtStream } from './pmt.ts';
import { streamKind } from './stream-kind.ts';

/** What turns the bytes of an elementary stream into access units. */
export type ElementaryCodec =
  | { readonly content: 'video'; readonly assembler: VideoAssembler }
  | { readonly content: 'audio'; readonly splitter: AudioSplitter };

/** Makes the assembler or splitter for a stream that `streamKind` calls video or audio. */
export function elementaryCodec(stream: PmtStream, programDescriptors: readonly Descriptor[], options: AssemblerOptions): ElementaryCodec {
  const kind = streamKind(stream, programDescriptors);
  if (kind.content === 'video') return { content: 'video', assembler: new H264Assembler(options) };
  return { content: 'audio', splitter: new AdtsSplitter(options) };
}
