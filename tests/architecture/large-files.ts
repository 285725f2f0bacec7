/**
 * Files and folders that exceed a limit on size or imports, each with the reason. An entry is better than splitting a
 * file only because of the limit; remove entries that no longer apply.
 */
export const LARGE: Readonly<Record<string, string>> = {
  'src-renderer/modules/alarms/AlarmTable.vue': 'A row has the links, texts and actions of an alarm.',
  'src-renderer/modules/alarms/AlarmsPage.vue': 'A page with two views, a filter and two dialogs.',
  'src-main/control/desk.ts': 'The one place where every call of the desk is checked and answered.',
  'src-main/control/desk-prefix.test.ts': 'One table with an entry for each call of the desk.',
  'src-main/ads/advertisements.ts': 'The interface of the folder: it connects its subfolders.',
  'src-main/ads/placement/in-place/in-place-part.ts':
    'Writes the parts of one form; small tools of containers and codecs.',
  'src-main/ads/placement/separate/ad-window.ts': 'One window over a plan; small tools of segments and codecs.',
  'src-main/segment/cut-step.ts': 'One step function of one state machine; its table of events stands above it.',
  'src-main/stream/timeline.ts': 'One mapping of clocks to UTC; jumps, breaks and reconnections change the same state.',
  'src-main/dvr/window/archive-playback.ts': 'All answers of one archive, which share its tables and its live end.',
  'src-main/media/containers/mpegts/reader.ts':
    'The hot path of a packet, from its header to its stream, in one place.',
  'src-main/media/containers/isobmff': 'A file for each box or concept of one standard.',
  'src-main/export/thread/export-thread.ts': 'The start of a thread, which only connects its parts.',
  'src-preload/contract/events/server-events.ts': 'One catalogue, read entry by entry.',
  'src-main/dvr/keep/archive-audit.ts': 'One check of an archive, which compares everything that a block has.',
  'src-main/dvr/recordings.ts': 'All recordings: it connects disks, streams and their repair.',
  'tests/helpers/collection-stage.ts': 'Builds one example server whose parts are read together.',
  'src-main/control/advertising/as-run-log.ts':
    'List, export and signature of one log, with the rights of its readers.',
  'src-renderer/modules/clips/use-clips.ts': 'State of one page: folder, files, comparison, conversion.',
  'src-main/lib': 'Tools without a domain: a folder of some of them would have no name of its own.',
};
