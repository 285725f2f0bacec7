import { AdtsSplitter } from '../../codecs/aac/splitter.ts';
import { Ac3Splitter } from '../../codecs/ac3/splitter.ts';
import type { AssemblerOptions, AudioSplitter } from '../../codecs/assembler.ts';
import { H264Assembler } from '../../codecs/h264/assembler.ts';
import { H265Assembler } from '../../codecs/h265/assembler.ts';
import { opusConfigOfCode } from '../../codecs/opus/channel-config.ts';
import { OpusSplitter } from '../../codecs/opus/splitter.ts';
import type { AudioCodec, VideoCodec } from '../../track.ts';
import type { Descriptor } from './descriptor.ts';
import { AnnouncedMpegAudio } from './mpeg-audio-stream.ts';
import { opusChannelCode } from './stream-kind.ts';

/** Creates the assembler of pictures for elementary video of a codec. */
export function videoAssembler(codec: VideoCodec, options: AssemblerOptions): H264Assembler | H265Assembler {
  return codec === 'h264' ? new H264Assembler(options) : new H265Assembler(options);
}

/** Creates the splitter of elementary audio; undefined if the descriptors of the stream require an unsupported feature. */
export function audioSplitter(
  codec: AudioCodec,
  descriptors: readonly Descriptor[],
  options: AssemblerOptions,
): AudioSplitter | undefined {
  switch (codec) {
    case 'aac':
      return new AdtsSplitter(options);
    case 'mp2':
    case 'mp3':
      return new AnnouncedMpegAudio(options);
    case 'ac3':
    case 'eac3':
      return new Ac3Splitter(options);
    case 'opus': {
      // Without the descriptor two channels are assumed.
      const config = opusConfigOfCode(opusChannelCode(descriptors) ?? 2);
      return config && new OpusSplitter(config, options);
    }
  }
}
