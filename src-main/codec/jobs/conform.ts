import { availableParallelism, setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { black, silence, type Loudness } from '../clip/clip-filters.ts';
import { codedLoudness, fileLoudness } from '../clip/clip-loudness.ts';
import { ClipPart, type ClipPartInput } from '../clip/clip-part.ts';
import { FilterChain } from '../libav/filter-chain.ts';
import type { ConformInput, ConformOutput, ConformProgress } from '../clip/clip-target.ts';
import { ClipWriter } from '../clip/clip-writer.ts';

/** Nice value of the process, so that live streams have priority. */
const NICE = 15;
/** Interval of progress reports, in milliseconds. */
const PROGRESS_MS = 250;
/** Share of the total progress that the measurement of the sound counts for. */
const MEASURING = 0.1;

/**
 * Function called between two steps: reports progress at intervals, and lets the event loop notice that the owner has
 * disconnected.
 */
type Between = (part: number) => Promise<void>;

/** Creates a clip in the format of a stream from files. The process runs no other job. Throws `clip_not_made`, `clip_no_room`. */
export async function conform(
  input: ConformInput,
  report: (progress: ConformProgress) => void,
): Promise<ConformOutput> {
  setPriority(NICE);
  let reportedMs = performance.now();
  const between: Between = async (part) => {
    const nowMs = performance.now();
    if (nowMs - reportedMs < PROGRESS_MS) return;
    reportedMs = nowMs;
    report({ part });
    await setImmediate();
  };
  const threads = Math.max(1, Math.floor(availableParallelism() / 2));
  const { picture, sound, inputs, edits, leadInMs } = input;
  const levels = await measure(input, between);
  const measured = levels ? MEASURING : 0;
  const writer = new ClipWriter(input.output, picture, sound, threads);
  for (const [index, path] of inputs.entries()) {
    const from = levels?.ofInputs[index];
    await convertPart(
      {
        path,
        picture,
        sound,
        edits,
        threads,
        leadInMs: index === 0 ? leadInMs : 0,
        level: levels && from && { from, toLufs: levels.lufs },
      },
      writer,
      async (part) => between(measured + ((1 - measured) * (index + part)) / inputs.length),
    );
  }
  await fill(input, writer, threads, between);
  writer.finish();
  return {
    durationMs: Math.round((writer.pictures * 1000 * picture.fpsDen) / picture.fpsNum),
    ...(levels ? { loudness: { lufs: levels.lufs, ofInputs: levels.ofInputs.map((one) => one?.lufs ?? null) } } : {}),
  };
}

/** First pass: measures each file and the target loudness. Undefined if the loudness stays unchanged. */
async function measure(
  { inputs, sound, edits, loudness }: ConformInput,
  between: Between,
): Promise<{ readonly lufs: number; readonly ofInputs: readonly (Loudness | undefined)[] } | undefined> {
  if (!loudness || !sound) return undefined;
  const lufs = 'lufs' in loudness ? loudness.lufs : codedLoudness(loudness.like);
  // There is no target, because the recent sound of the stream is silence.
  if (lufs === undefined) return undefined;
  const ofInputs: (Loudness | undefined)[] = [];
  for (const [index, path] of inputs.entries())
    ofInputs.push(
      await fileLoudness(path, sound, edits, async (part) => between((MEASURING * (index + part)) / inputs.length)),
    );
  return { lufs, ofInputs };
}

async function convertPart(input: ClipPartInput, writer: ClipWriter, between: Between): Promise<void> {
  const part = new ClipPart(input, writer);
  while (part.read()) await between(part.done);
  part.end();
}

/** Extends the clip to a multiple of the requested length. */
async function fill(
  { picture, sound, slate }: ConformInput,
  writer: ClipWriter,
  threads: number,
  between: Between,
): Promise<void> {
  if (!slate) return;
  const { fpsNum, fpsDen } = picture;
  const multiple = (slate.multipleMs * fpsNum) / (1000 * fpsDen);
  // An excess of less than half a picture does not add another multiple.
  const pictureCount = Math.round(Math.ceil((writer.pictures - 0.5) / multiple) * multiple);
  const fillPictures = pictureCount - writer.pictures;
  if (fillPictures <= 0) return;
  const { path } = slate;
  if (path !== undefined) {
    await convertPart({ path, picture, sound, edits: [], leadInMs: 0, fillPictures, threads }, writer, async () =>
      between(1),
    );
    return;
  }
  const pictures = new FilterChain(black(picture), AVMEDIA_TYPE_VIDEO);
  const quiet = sound && new FilterChain(silence(sound), AVMEDIA_TYPE_AUDIO);
  while (writer.pictures < pictureCount) {
    writer.takePicture(pictures);
    while (quiet && writer.samples < writer.samplesOfPictures) writer.takeSound(quiet);
    await between(1);
  }
  pictures.close();
  quiet?.close();
}
