import type { ConfigImpact } from '../../../src-preload/contract/operations/config-impact.ts';
import { IMPACT } from './texts.ts';

/** Sentences about the effect of a change, the most severe first; empty if there is none. */
export function impactSentences(impact: ConfigImpact): { readonly text: string; readonly isBad: boolean }[] {
  const { removed, restarted, added, updated, prefixes, viewers, publishers, settings } = impact;
  const named = (
    { count: many, names: list }: ConfigImpact['added'],
    sentence: (many: number, names: string) => string,
  ): string => (many === 0 ? '' : sentence(many, `: ${list.slice(0, 5).join(', ')}${many > 5 ? ', …' : ''}`));
  const bad = [
    named(removed, IMPACT.ends),
    named(restarted, IMPACT.restarts),
    viewers > 0 ? IMPACT.interrupts(viewers) : '',
    publishers > 0 ? IMPACT.disconnects(publishers) : '',
    ...impact.ports_closed.map((port) => IMPACT.closes(port)),
  ];
  const good = [
    ...impact.ports_opened.map((port) => IMPACT.opens(port)),
    named(added, IMPACT.adds),
    named(updated, IMPACT.updates),
    named(prefixes, IMPACT.prefixes),
    settings.length > 0 ? IMPACT.settings(settings.join(', ')) : '',
    impact.is_reordered ? IMPACT.order : '',
  ];
  const sentences = (texts: readonly string[], isBad: boolean): { readonly text: string; readonly isBad: boolean }[] =>
    texts.filter((text) => text !== '').map((text) => ({ text, isBad }));
  return [...sentences(bad, true), ...sentences(good, false)];
}
