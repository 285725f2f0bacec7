import {
  CHANGE_LABELS,
  configChangesSchema,
  printConfigChanges,
  type ChangeLabels,
} from '../../src-preload/contract/config-language/config-changes.ts';
import { translated } from '../i18n/translated.ts';
import { CHANGE_TEXTS_DE } from './changes-texts-de.ts';

const TEXTS: ChangeLabels = translated('configChanges', CHANGE_LABELS, CHANGE_TEXTS_DE);

interface Changed {
  /** In English. */
  readonly summary: string;
  /** Unchecked: a newer server may have other facts. */
  readonly changes?: unknown;
}

/** Summary of a version in the language of the desk; in English for a version that an earlier release stored. */
export function changesText({ summary, changes }: Changed): string {
  const { data } = configChangesSchema.safeParse(changes);
  return data ? printConfigChanges(data, TEXTS) : summary;
}
