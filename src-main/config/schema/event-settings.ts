import { namedBlocksSetting } from './block-setting.ts';
import { identifierSchema } from './storage-values.ts';

/** Sinks of events. */
export const EVENT_SETTINGS = {
  eventSinks: namedBlocksSetting({
    aliases: ['notify'],
    json: 'event_sinks',
    block: 'event_sink',
    name: identifierSchema,
    usage: 'event_sink name { … }',
    doc:
      'Target of events; see Events in the documentation. Each sink has a queue on disk (`events/` in the data folder), where undelivered events wait, even after a restart. ' +
      'The queue of a removed sink is kept for 7 days.',
    example: 'event_sink desk { url http://127.0.0.1:3000/events; only event=stream_*; throttle_delay 1; }',
  }),
};
