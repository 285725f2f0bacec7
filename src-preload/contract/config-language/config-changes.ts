import { z } from 'zod';

const counted = z.object({
  count: z.number().int().describe('number of them'),
  names: z.array(z.string()).describe('their names, if there are at most five'),
});
const collection = z.object({
  added: counted,
  removed: counted,
  changed: counted,
  directives: z.record(z.string(), z.array(z.string())).describe('changed directives, by the names in `changed`'),
});

/** Summary of the difference between two versions of the configuration, for programs and other languages. */
export const configChangesSchema = z.object({
  kind: z
    .enum(['first', 'saved', 'formatting', 'changed'])
    .describe(
      'the first version, the running one that was written to the file, other spacing and comments, or other values',
    ),
  streams: collection.nullable().describe('null for no difference'),
  lives: collection.nullable().describe('live prefixes'),
  templates: collection.nullable(),
  settings: z.array(z.string()).describe('changed directives outside of streams'),
  is_reordered: z.boolean().describe('whether the streams are in another order'),
});
export type ConfigChanges = z.infer<typeof configChangesSchema>;

/** Texts of a summary. */
export interface ChangeLabels {
  readonly kinds: Readonly<Record<Exclude<ConfigChanges['kind'], 'changed'>, string>>;
  readonly collections: Readonly<Record<'streams' | 'lives' | 'templates', string>>;
  readonly added: (names: string) => string;
  readonly removed: (names: string) => string;
  readonly changed: (names: string) => string;
  readonly reordered: string;
}

/** English texts of a summary. */
export const CHANGE_LABELS: ChangeLabels = {
  kinds: {
    first: 'the first version',
    saved: 'written to the file',
    formatting: 'only spacing and comments',
  },
  collections: { streams: 'streams', lives: 'live prefixes', templates: 'templates' },
  added: (names) => `${names} added`,
  removed: (names) => `${names} removed`,
  changed: (names) => `${names} changed`,
  reordered: 'order of streams',
};

const COLLECTIONS = ['streams', 'lives', 'templates'] as const;

/** Prints a summary: `streams: cam1 added, cam2 changed (title); http`. */
export function printConfigChanges(changes: ConfigChanges, labels: ChangeLabels = CHANGE_LABELS): string {
  const parts = COLLECTIONS.flatMap((key) => {
    const collected = changes[key];
    return collected ? [`${labels.collections[key]}: ${collectionTexts(collected, labels).join(', ')}`] : [];
  });
  const text = [...parts, ...changes.settings, ...(changes.is_reordered ? [labels.reordered] : [])].join('; ');
  return changes.kind === 'changed' ? text : labels.kinds[changes.kind];
}

function collectionTexts(
  { added, removed, changed, directives }: z.infer<typeof collection>,
  labels: ChangeLabels,
): string[] {
  const one = ({ count, names }: z.infer<typeof counted>, print: (names: string) => string): string[] =>
    count === 0 ? [] : [print(names.length === 0 ? String(count) : names.join(', '))];
  const changedTexts =
    changed.names.length === 0
      ? one(changed, labels.changed)
      : changed.names.map((name) => `${labels.changed(name)} (${(directives[name] ?? []).join(', ')})`);
  return [...one(added, labels.added), ...one(removed, labels.removed), ...changedTexts];
}
