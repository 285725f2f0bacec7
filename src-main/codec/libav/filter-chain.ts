import { AVMEDIA_TYPE_VIDEO, type AVMediaType } from 'node-av/constants';
import { Filter, FilterGraph, Frame, type FilterContext } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { throwOnError } from './codec-error.ts';

/**
 * Source `abuffer@in` of a filter chain for sound in the format of a decoded frame.
 * @param timeBase for example `1/48000`
 */
export function soundInput(frame: Frame, timeBase: string): string {
  const { mask, nbChannels } = frame.channelLayout;
  const layout = mask > 0n ? `channel_layout=0x${mask.toString(16)}` : `channels=${nbChannels}`;
  return `abuffer@in=time_base=${timeBase}:sample_rate=${frame.sampleRate}:sample_fmt=${frame.format}:${layout}`;
}

/** Filters of one track. Their input is `buffer@in` or a source filter; their output is frames. */
export class FilterChain {
  readonly #graph = new FilterGraph();
  readonly #source: FilterContext | null;
  readonly #sink: FilterContext;

  /** Throws `clip_not_made` if the filters cannot be built. */
  constructor(chain: string, type: AVMediaType) {
    this.#graph.alloc();
    this.#graph.nbThreads = 1;
    const sink = type === AVMEDIA_TYPE_VIDEO ? 'buffersink' : 'abuffersink';
    throwOnError(this.#graph.parse2(`${chain},${sink}@out`), 'clip_not_made', 'Making the filters');
    const input = this.#graph.filters?.find(({ name }) => name?.endsWith('@in') === true);
    const output = this.#graph.filters?.find(({ name }) => name?.endsWith('@out') === true);
    if (!output) throw new AirdeskError('internal', `There are no filters ${Filter.getByName(sink) ? '' : sink}`);
    throwOnError(this.#graph.configSync(), 'clip_not_made', 'Making the filters');
    this.#source = input ?? null;
    this.#sink = output;
  }

  /** Adds a frame; null marks the end. */
  push(frame: Frame | null): void {
    if (this.#source) throwOnError(this.#source.buffersrcAddFrameSync(frame), 'clip_not_made', 'Filtering');
  }

  /** Next frame; undefined if there is none yet. The caller frees it. */
  next(): Frame | undefined {
    const frame = new Frame();
    frame.alloc();
    if (this.#sink.buffersinkGetFrameSync(frame) >= 0) return frame;
    frame.free();
    return undefined;
  }

  close(): void {
    this.#graph.free();
  }
}
