import { kWeighting, meanSquare, ShortTermLoudness } from './short-term-loudness.ts';

/** Samples per measurement: 43 ms at 48 kHz, about the time between two frames at 25 per second. */
const BLOCK_SIZE = 2048;

/** Filters and analysers for the loudness of one tile. */
export class LoudnessChain {
  readonly #nodes: readonly AudioNode[];
  readonly #analysers: readonly AnalyserNode[];
  readonly #block = new Float32Array(BLOCK_SIZE);
  readonly #loudness = new ShortTermLoudness();

  constructor(context: AudioContext, source: AudioNode, channelCount: number) {
    const filters = kWeighting(context.sampleRate).map(
      ({ feedforward, feedback }) =>
        new IIRFilterNode(context, { feedforward: [...feedforward], feedback: [...feedback] }),
    );
    const splitter = new ChannelSplitterNode(context, { numberOfOutputs: channelCount });
    this.#nodes = [...filters, splitter];
    this.#nodes.reduce((before, node) => before.connect(node), source);
    this.#analysers = Array.from({ length: channelCount }, (_, channel) => {
      const analyser = new AnalyserNode(context, { fftSize: BLOCK_SIZE });
      splitter.connect(analyser, channel);
      return analyser;
    });
  }

  /** Measures the current audio. @returns short-term loudness in LUFS; null for silence */
  measure(nowMs: number): number | null {
    const powers = this.#analysers.map((analyser) => {
      analyser.getFloatTimeDomainData(this.#block);
      return meanSquare(this.#block);
    });
    this.#loudness.feed(powers, nowMs);
    return this.#loudness.lufs;
  }

  close(): void {
    for (const node of [...this.#nodes, ...this.#analysers]) node.disconnect();
  }
}
