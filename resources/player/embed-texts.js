/* exported MESSAGES, ICONS, draw, longTime, nameOf */
'use strict';

/** Messages for the viewer by error code (docs/reference/errors.md). */
const MESSAGES = {
  stream_not_found: 'There is no stream with this name.',
  stream_not_running: 'Waiting for the stream …',
  forbidden: 'You have no access to this stream.',
  playback_denied: 'You have no access to this stream.',
  session_banned: 'Your access to this stream has ended.',
  token_required: 'This stream needs an address with a token.',
  unauthorized: 'You have no access to this stream.',
  unreachable: 'The server cannot be reached.',
  not_playable: 'This browser cannot play the stream.',
  archive_empty: 'Nothing was recorded at this time.',
  archive_not_yet: 'This time has not been recorded yet.',
  no_picture: 'No picture yet. Retrying …',
};

/** Usual names of codecs, by the start of their RFC 6381 string. */
const CODEC_NAMES = [
  ['hvc1', 'H.265'],
  ['hev1', 'H.265'],
  ['avc', 'H.264'],
  ['av01', 'AV1'],
  ['mp4a.40.33', 'MP2'],
  ['mp4a.40.34', 'MP3'],
  ['mp4a', 'AAC'],
  ['ac-3', 'AC-3'],
  ['ec-3', 'E-AC-3'],
  ['opus', 'Opus'],
];
/** Icons of the buttons, 24 units wide. */
const ICONS = {
  play: 'M6 3 L21 12 L6 21 Z',
  pause: 'M5 3h5v18H5z M14 3h5v18h-5z',
  sound: 'M3 9h4l6-5v16l-6-5H3z M16 7.5a6 6 0 0 1 0 9l-1.3-1.5a4 4 0 0 0 0-6z',
  silent:
    'M3 9h4l6-5v16l-6-5H3z M16 9.4l1.4-1.4L19.500 10.600 21.600 8 23 9.400 20.900 12 23 14.600 21.600 16 19.500 13.400 17.400 16 16 14.600 18.100 12z',
  full: 'M3 3h7v2.500H5.500V10H3z M14 3h7v7h-2.500V5.500H14z M3 14h2.500v4.500H10V21H3z M18.500 14H21v7h-7v-2.500h4.500z',
};

/** Puts an icon into a button, in the colour of its text. */
function draw(button, path) {
  const [picture, shape] = ['svg', 'path'].map((name) => document.createElementNS('http://www.w3.org/2000/svg', name));
  picture.setAttribute('viewBox', '0 0 24 24');
  shape.setAttribute('d', path);
  picture.append(shape);
  button.replaceChildren(picture);
}

/** Duration as hours, minutes and seconds. */
function longTime(seconds) {
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  return [hours, minutes, rest].map((part) => String(part).padStart(2, '0')).join(':');
}

function nameOf(codec) {
  return CODEC_NAMES.find(([prefix]) => codec.toLowerCase().startsWith(prefix))?.[1] ?? codec;
}
