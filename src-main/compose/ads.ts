import { Advertisements, type AdvertisementsOptions, type Play } from '../ads/advertisements.ts';
import { USUAL_RULES, type BreakRules } from '../ads/decision/ad-decision.ts';
import { CLIP_SEGMENT_MS } from '../ads/viewer-output.ts';
import type { SegmentWindow } from '../segment/segment-window.ts';
import type { Config, StreamSettings } from '../config/schema/config.ts';
import { fillOf } from '../ads/decision/read-decision.ts';
import type { Recorded } from '../delivery/recorded.ts';
import { every } from '../lib/timers.ts';
import { OpenFiles } from '../vod/thread/open-files.ts';
import type { ServerOptions } from './server-options.ts';
import { locationsOf } from './vod.ts';
import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';

/** Dependencies of `openAds`. */
export interface AdsDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'dataFolder' | 'indexThreadEntry'>;
  /** Receives the part of a clip that was sent to a viewer. */
  readonly played: (play: Play) => void;
  /** Called when a clip or a break was left out for a viewer. */
  readonly skipped: NonNullable<AdvertisementsOptions['skipped']>;
  readonly answered: NonNullable<AdvertisementsOptions['answered']>;
  readonly config: Config;
  readonly streams: { get(name: string): { readonly settings: Pick<StreamSettings, 'adBreaks'> } | undefined };
}

/** Advertisements in streams. */
export interface AdsUnit {
  readonly advertisements: Advertisements;
  /** Opens a file of a VOD location as a clip; resolves with the reason if it cannot be one. */
  inspect(name: string): Promise<(SegmentWindow & { readonly durationMs: number }) | Explained>;
  apply(config: Config): void;
  close(): Promise<void>;
}

/** Time after which a read of a clip counts as hanging, in milliseconds. Short, because players wait for it. */
const HANG_MS = 2000;
/** Interval between two checks for unused clips, in milliseconds. */
const SWEEP_MS = 10_000;

/** Opens the unit that inserts advertisements. */
export function openAds({
  options: { clock, dataFolder, indexThreadEntry: threadEntry },
  played,
  skipped,
  answered,
  config,
  streams,
}: AdsDeps): AdsUnit {
  // Not shared with VOD, because clips have other segment durations and so other indexes.
  const files = new OpenFiles({ clock, threadEntry, hangMs: HANG_MS, isPrompt: true });
  const advertisements = new Advertisements({
    clock,
    files: {
      async open(path) {
        const found = await files.open(path);
        if ('window' in found) {
          const { window, files: read } = found;
          const readFault = (): Explained | undefined => read.find((file) => file.readFault !== undefined)?.readFault;
          return { path, window, addressPrefix: window.periods()[0]?.addressPrefix ?? '', readFault };
        }
        const reason = found.code === 'vod_file_not_found' ? 'clip_not_found' : 'clip_unusable';
        return { path, reason, detail: found.detail, explanation: found.explanation };
      },
    },
    rulesOf: (stream) => rulesOf(streams.get(stream)?.settings.adBreaks),
    played,
    skipped,
    answered,
  });
  const apply = (changed: Config): void => {
    files.apply(locationsOf(changed, dataFolder).map((location) => ({ ...location, segmentMs: CLIP_SEGMENT_MS })));
    advertisements.forget();
  };
  apply(config);
  const stopSweeping = every(clock, SWEEP_MS, () => {
    files.sweep(clock.now());
  });
  return {
    advertisements,
    inspect: async (name) => {
      const found = await files.open(name);
      return 'window' in found ? found.window : found;
    },
    apply,
    async close() {
      stopSweeping();
      await files.close();
    },
  };
}

/** Adds the advertisements of a viewer to the breaks of recordings, if the stream is configured so. */
export function withBreaks(recorded: Recorded, advertisements: Pick<Advertisements, 'recordedFor'>): Recorded {
  return async (stream, request, session) => {
    const found = await recorded(stream, request, session);
    if ('code' in found || request.kind !== 'segment' || !session) return found;
    return advertisements.recordedFor(session, found, request, async (fromMs, toMs) => {
      const [fromSeconds, durationSeconds] = [fromMs / 1000, (toMs - fromMs) / 1000];
      const span = { name: '', isMuxed: false, kind: 'range', fromSeconds, durationSeconds } as const;
      const around = await recorded(stream, { kind: 'span', span }, session);
      return 'code' in around ? undefined : around;
    });
  };
}

/** Rules by settings object, so that requests with the same settings share one object of rules. */
const rulesBySettings = new WeakMap<object, BreakRules>();

function rulesOf(settings: StreamSettings['adBreaks'] | undefined): BreakRules {
  if (!settings) return USUAL_RULES;
  const { overrun, fill, hls, dash, archive } = settings;
  const rules: BreakRules = rulesBySettings.get(settings) ?? {
    overrun: overrun ?? USUAL_RULES.overrun,
    fill: fill === null ? USUAL_RULES.fill : fillOf(fill),
    ...(hls === 'interstitials' ? { hls } : {}),
    ...(dash === 'periods' ? { dash } : {}),
    ...(archive === 'clips' ? { archive } : {}),
  };
  rulesBySettings.set(settings, rules);
  return rules;
}
