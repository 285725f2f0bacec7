import { CONFIG_EXPLANATIONS } from './config-explanations.ts';
import { FILE_EXPLANATIONS } from './file-explanations.ts';
import { INPUT_EXPLANATIONS } from './input-explanations.ts';
import { VALUE_EXPLANATIONS } from './value-explanations.ts';

/**
 * English sentences that explain errors, by code; facts are in braces. Programs and translations use the code and the facts, so
 * the sentences may change.
 */
export const EXPLANATIONS = {
  ...CONFIG_EXPLANATIONS,
  ...FILE_EXPLANATIONS,
  ...INPUT_EXPLANATIONS,
  ...VALUE_EXPLANATIONS,
} as const;

/** Code of an explanation. Codes never change. */
export type ExplanationCode = keyof typeof EXPLANATIONS;

/** Values of a sentence by name: names, figures, or another explanation. */
type Facts<V> = { readonly [name: string]: V };
/** Explanation of an error. Its code may be unknown here, because a newer server may have more codes. */
export type Explanation = { readonly code: string; readonly facts: Facts<string | number | Explanation> };

/** An English sentence and its explanation, which is absent for messages of other programs. */
export interface Explained {
  readonly detail: string;
  readonly explanation?: Explanation | undefined;
}

/** Names of the facts of a sentence. */
type FactNames<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | FactNames<Rest> : never;
type FactsOf<C extends ExplanationCode> = Readonly<
  Record<FactNames<(typeof EXPLANATIONS)[C]>, string | number | Explained>
>;

/** Explains an error by a code and its facts. */
export function because<C extends ExplanationCode>(
  code: C,
  ...[facts]: [FactNames<(typeof EXPLANATIONS)[C]>] extends [never] ? [] : [FactsOf<C>]
): { readonly detail: string; readonly explanation: Explanation } {
  const given: readonly [string, string | number | Explained][] = Object.entries(facts ?? {});
  const explanation = {
    code,
    facts: Object.fromEntries(
      given.map(([name, fact]) => [name, typeof fact === 'object' ? (fact.explanation ?? fact.detail) : fact]),
    ),
  };
  const parts = given.map(([name, fact]) => [name, typeof fact === 'object' ? fact.detail : fact] as const);
  return { detail: fillFacts(EXPLANATIONS[code], Object.fromEntries(parts)), explanation };
}

/** Replaces the braces of a sentence by facts. */
export function fillFacts(sentence: string, facts: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? '?'));
}
