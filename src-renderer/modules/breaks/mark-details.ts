import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { formatInstant } from '../../lib/format.ts';
import { TEXTS } from './texts.ts';

/** Decoded fields of a `splice_point` event, as separate texts: time, id, duration and segmentation. */
export function markDetails(mark: ServerEvent): readonly string[] {
  const number = (name: string): number | undefined => {
    const value = mark[name];
    return typeof value === 'number' ? value : undefined;
  };
  const text = (name: string): string => String(mark[name] ?? '');
  const [at, id, durationMs] = [number('at'), number('splice_event_id'), number('duration')];
  return [
    text('command'),
    id === undefined ? '' : TEXTS.markEvent(id),
    at === undefined ? '' : TEXTS.markAt(formatInstant(at)),
    durationMs === undefined ? '' : TEXTS.markLasts(durationMs / 1000),
    mark['kind'] === 'out' && mark['auto_return'] === false ? TEXTS.markNeedsReturn : '',
    text('segmentation_type'),
    text('upid') === '' ? '' : [text('upid_type'), text('upid')].filter((one) => one !== '').join(' '),
  ].filter((one) => one !== '');
}
