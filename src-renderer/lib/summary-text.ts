import { SUMMARY_LABELS } from './summary-texts.ts';

/**
 * Translates the server's summary of a version (`streams: cam1 added, cam2 changed (title); http`) into the language of the desk.
 * Names and directives stay.
 */
export function summaryText(summary: string): string {
  return summary
    .split('; ')
    .map((part) => {
      const [, kind, names] = /^(streams|lives|templates): (.*)$/.exec(part) ?? [];
      if (kind === undefined || names === undefined) return SUMMARY_LABELS[part] ?? part;
      const translated = names.replace(
        / (added|removed|changed)(?=,| \(|$)/g,
        (_, verb: string) => ` ${SUMMARY_LABELS[verb] ?? verb}`,
      );
      return `${SUMMARY_LABELS[kind] ?? kind}: ${translated}`;
    })
    .join('; ');
}
