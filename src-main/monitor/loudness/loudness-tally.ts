/** Loudness of 100 ms. */
export interface LoudnessBlock {
  /** Momentary loudness of the last 400 ms (EBU Tech 3341), LUFS; null if unknown. */
  readonly momentary: number | null;
  /** Short-term loudness of the last 3 s, LUFS; null if unknown. */
  readonly shortTerm: number | null;
  /** True peak, dBTP (BS.1770-5 annex 2). */
  readonly truePeak: number;
}

/** Loudness figures of a period. */
export interface LoudnessFigures {
  /** Integrated loudness in LUFS (BS.1770-5); null before any sound above -70 LUFS. */
  readonly integrated: number | null;
  /** Loudness range in LU (EBU Tech 3342); null before any sound above -70 LUFS. */
  readonly range: number | null;
  readonly maxMomentary: number | null;
  readonly maxShortTerm: number | null;
  /** dBTP; null before the first measurement. */
  readonly truePeak: number | null;
  readonly measuredMs: number;
}

/** Absolute gate in LUFS, and the width in LU and number of the histogram steps above it. */
const FLOOR = -70;
const STEP = 0.1;
const STEPS = 800;
/** Relative gates, in LU. */
const LOUDNESS_GATE = 10;
const RANGE_GATE = 20;
/** Fractions of the blocks between whose levels the loudness range lies. */
const RANGE_FROM = 0.1;
const RANGE_TO = 0.95;
const BLOCK_MS = 100;

const energyOf = (step: number): number => 10 ** ((FLOOR + step * STEP) / 10);
const ENERGIES = Float64Array.from({ length: STEPS }, (_, step) => energyOf(step));
const levelOf = (energy: number): number => 10 * Math.log10(energy);
const round = (value: number): number => Math.round(value * 10) / 10;

/** Loudness histograms of a period, from which its figures are calculated; histograms can be added. */
export class LoudnessTally {
  readonly #momentary = new Uint32Array(STEPS);
  readonly #shortTerm = new Uint32Array(STEPS);
  #maxMomentary = -Infinity;
  #maxShortTerm = -Infinity;
  #truePeak = -Infinity;
  #blocks = 0;

  add({ momentary, shortTerm, truePeak }: LoudnessBlock): void {
    this.#blocks++;
    this.#maxMomentary = Math.max(this.#maxMomentary, momentary ?? -Infinity);
    this.#maxShortTerm = Math.max(this.#maxShortTerm, shortTerm ?? -Infinity);
    this.#truePeak = Math.max(this.#truePeak, truePeak);
    count(this.#momentary, momentary);
    count(this.#shortTerm, shortTerm);
  }

  addAll(other: LoudnessTally): void {
    this.#blocks += other.#blocks;
    this.#maxMomentary = Math.max(this.#maxMomentary, other.#maxMomentary);
    this.#maxShortTerm = Math.max(this.#maxShortTerm, other.#maxShortTerm);
    this.#truePeak = Math.max(this.#truePeak, other.#truePeak);
    for (let step = 0; step < STEPS; step++) {
      this.#momentary[step] = (this.#momentary[step] ?? 0) + (other.#momentary[step] ?? 0);
      this.#shortTerm[step] = (this.#shortTerm[step] ?? 0) + (other.#shortTerm[step] ?? 0);
    }
  }

  figures(): LoudnessFigures {
    return {
      integrated: meanAbove(this.#momentary, LOUDNESS_GATE),
      range: rangeOf(this.#shortTerm),
      maxMomentary: finiteOrNull(this.#maxMomentary),
      maxShortTerm: finiteOrNull(this.#maxShortTerm),
      truePeak: finiteOrNull(this.#truePeak),
      measuredMs: this.#blocks * BLOCK_MS,
    };
  }
}

/** Rounds a level to a tenth; null if there is none. */
function finiteOrNull(level: number): number | null {
  return Number.isFinite(level) ? round(level) : null;
}

function count(counts: Uint32Array, level: number | null): void {
  if (level === null || !(level > FLOOR)) return;
  const step = Math.min(STEPS - 1, Math.round((level - FLOOR) / STEP));
  counts[step] = (counts[step] ?? 0) + 1;
}

/** Mean energy of all counts from a step on, as a level; null without counts. */
function meanFrom(counts: Uint32Array, first: number): number | null {
  let energy = 0;
  let blocks = 0;
  for (let step = first; step < STEPS; step++) {
    const here = counts[step] ?? 0;
    energy += here * (ENERGIES[step] ?? 0);
    blocks += here;
  }
  return blocks === 0 ? null : levelOf(energy / blocks);
}

function gateStep(counts: Uint32Array, gate: number): number | null {
  const mean = meanFrom(counts, 0);
  return mean === null ? null : Math.max(0, Math.ceil((mean - gate - FLOOR) / STEP));
}

function meanAbove(counts: Uint32Array, gate: number): number | null {
  const first = gateStep(counts, gate);
  const mean = first === null ? null : meanFrom(counts, first);
  return mean === null ? null : round(mean);
}

function rangeOf(counts: Uint32Array): number | null {
  const first = gateStep(counts, RANGE_GATE);
  if (first === null) return null;
  let blocks = 0;
  for (let step = first; step < STEPS; step++) blocks += counts[step] ?? 0;
  const at = (share: number): number => {
    let left = share * (blocks - 1);
    for (let step = first; step < STEPS; step++) {
      left -= counts[step] ?? 0;
      if (left < 0) return step;
    }
    return STEPS - 1;
  };
  return round((at(RANGE_TO) - at(RANGE_FROM)) * STEP);
}
