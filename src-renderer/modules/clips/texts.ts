/** The words of the page of clips. */
export const TEXTS = {
  title: 'Clips',
  location: 'Location',
  stream: 'For the stream',
  search: 'Find',
  loading: 'Waiting for the server',
  noLocations: 'No VOD location has a folder of the server',
  noLocationsHelp: 'Make one in the configuration: vod ads { storage /srv/ads; }',
  noFiles: 'This folder is empty',
  noFound: 'No file of this folder has that in its name',
  name: 'Name',
  size: 'Size',
  fit: 'Fits the stream',
  compare: 'Compare',
  comparing: 'Comparing',
  fits: 'Fits',
  differs: (count: number) => `${count} ${count === 1 ? 'difference' : 'differences'}`,
  cannotPlay: 'Cannot be played',
  field: 'Property',
  clip: 'Clip',
  ofStream: 'Stream',
  fitTitle: (path: string, stream: string) => `${path} and ${stream}`,
  noTarget: 'Nothing says where finished clips go. Add file_processor { path LOCATION; } to the configuration.',
  chosen: (count: number) => `${count} chosen`,
  all: 'Choose all files',
  choose: (name: string) => `Choose ${name}`,
  up: 'One folder up',
  more: 'Show more',
  compareChosen: 'Compare',
  conform: 'Make fit',
  json: 'Backend answer',
  jsonTitle: 'Answer of a backend for these clips',
  placement: 'Where',
  jobs: 'Clips in the making',
  noJobs: 'No clip was asked for',
  cancel: 'Cancel',
  remove: 'Remove',
  play: 'Play it in another tab',
  inPoint: 'In, seconds',
  outPoint: 'Out, seconds',
  end: 'end',
} as const;

/** Where clips are shown, as `ad_inject` names it. */
export const PLACEMENTS = {
  preroll: 'before the stream',
  splicing: 'at splice points',
  interval: 'every 10 minutes',
} as const;

/** States of a job as people say them. */
export const JOB_WORDS = {
  new: 'Waiting',
  running: 'Running',
  done: 'Done',
  error: 'Failed',
} as const;
