import type { Explained, Explanation } from './explanations/explanations.ts';

/** Entry of the error catalogue. `docs/reference/errors.md` describes a remedy for each error; a test compares the two. */
interface ErrorEntry {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Description of the error in a few words. */
  readonly title: string;
}

/** All error codes of Airdesk: in APIs, events and states of inputs. Codes never change. */
export const ERRORS = {
  // Requests
  bad_request: { status: 400, title: 'The request is malformed' },
  bad_query: { status: 400, title: 'A parameter of the request is unknown or invalid' },
  bad_cursor: { status: 400, title: 'The cursor does not belong to this list' },
  unknown_key: { status: 400, title: 'The object has no such key' },
  bad_value: { status: 400, title: 'The value is not valid for this key' },
  precondition_failed: { status: 412, title: 'If-Match or If-None-Match does not hold for the object' },
  idempotency_key_reused: { status: 409, title: 'The Idempotency-Key was used for another request' },
  not_found: { status: 404, title: 'Nothing exists at this address' },
  object_exists: { status: 409, title: 'An object with this name already exists' },
  method_not_allowed: { status: 405, title: 'The method is not allowed at this address' },
  unauthorized: { status: 401, title: 'The login is missing or wrong' },
  too_many_calls: { status: 429, title: 'Too many calls of this desk are waiting' },
  too_many_attempts: { status: 429, title: 'Too many wrong logins came from this address' },
  forbidden: { status: 403, title: 'This is not allowed from here' },
  password_wrong: { status: 403, title: 'The current password is wrong' },
  password_weak: { status: 400, title: 'The password is too weak' },
  person_not_found: { status: 404, title: 'There is no person with this login' },
  person_exists: { status: 409, title: 'The login is already in use' },
  too_many_people: { status: 409, title: 'The limit of people is reached' },
  last_administrator: { status: 409, title: 'At least one login must be able to administer the server' },
  role_forbidden: { status: 403, title: 'The role of this login does not allow this' },
  path_not_allowed: { status: 403, title: 'The path is outside the allowed folders' },
  too_many_bans: { status: 409, title: 'The limit of bans is reached' },
  too_many_labels: { status: 409, title: 'The limit of tile labels is reached' },
  too_many_walls: { status: 409, title: 'The limit of saved walls is reached' },
  disk_full: { status: 507, title: 'The disk is full' },
  unavailable: { status: 503, title: 'The server cannot do this at the moment' },
  internal: { status: 500, title: 'Internal server error' },
  request_timeout: { status: 408, title: 'The request took too long' },
  request_too_large: { status: 413, title: 'The request is larger than the limit' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported here' },
  // Streams
  stream_not_found: { status: 404, title: 'There is no stream with this name' },
  stream_exists: { status: 409, title: 'A stream with this name already exists' },
  bad_stream_name: { status: 400, title: 'This is not a valid stream name' },
  stream_not_configured: { status: 409, title: 'The stream comes from a live prefix and is not in the configuration' },
  stream_archived: {
    status: 409,
    title: 'Only the archive of the stream is left; the stream disappears when its archive is empty',
  },
  signing_key_missing: { status: 409, title: 'The stream has no key for signed addresses' },
  stream_no_frames: { status: 424, title: 'The stream has received no frames recently' },
  playlist_not_open: { status: 404, title: 'The stream is not playing a playlist' },
  archive_not_kept: { status: 409, title: 'The stream is not recorded' },
  archive_locked: { status: 409, title: 'Part of the time range is locked' },
  archive_deletion_held: { status: 409, title: 'Deletion from archives is on hold until an operator confirms' },
  archive_notes_full: { status: 409, title: 'The limit of notes in this archive is reached' },
  archive_cases_full: { status: 409, title: 'The limit of cases, or of items in a case, is reached' },
  archive_locks_full: { status: 409, title: 'The limit of locks in this archive is reached' },
  disk_slow: { status: 503, title: 'An archive disk is too slow or does not answer' },
  disk_error: { status: 503, title: 'An archive disk cannot be used' },
  disk_in_use: { status: 503, title: 'An archive disk is in use by another server' },
  not_mounted: { status: 503, title: 'An archive disk is not mounted' },
  no_disk: { status: 503, title: 'No disk of the storage is writable' },
  // Files
  vod_not_found: { status: 404, title: 'No VOD location has this prefix' },
  vod_path_not_found: { status: 404, title: 'The VOD location has no such folder' },
  vod_storage_not_supported: { status: 400, title: 'VOD storage of this kind is not supported' },
  vod_file_not_found: { status: 404, title: 'The VOD location has no such file' },
  vod_file_unreadable: { status: 503, title: 'The file cannot be read' },
  vod_file_damaged: { status: 422, title: 'The file is damaged' },
  vod_index_timeout: { status: 422, title: 'Reading the index of the file took too long' },
  vod_file_not_supported: { status: 415, title: 'Files of this kind cannot be played' },
  vod_file_exists: { status: 409, title: 'The VOD location already has a file with this name' },
  vod_no_room: { status: 507, title: 'Not enough disk space for the file' },
  vod_upload_not_found: { status: 404, title: 'The upload of this file is unknown or has expired' },
  vod_upload_broken: { status: 400, title: 'The file arrived incomplete' },
  vod_uploads_full: { status: 503, title: 'Too many uploads at the same time' },
  // Jobs
  job_running: { status: 409, title: 'The job is already running' },
  alarm_not_found: { status: 404, title: 'This alarm no longer exists' },
  job_not_found: { status: 404, title: 'There is no such job' },
  export_no_room: { status: 507, title: 'Not enough disk space for the export' },
  export_file_exists: { status: 409, title: 'A file with this name already exists' },
  export_not_written: { status: 503, title: 'The export file cannot be written' },
  export_not_exact: { status: 415, title: 'This range cannot be cut to the exact frame' },
  export_not_done: { status: 409, title: 'The export is not finished' },
  export_queue_full: { status: 503, title: 'Too many exports are waiting' },
  export_cancelled: { status: 409, title: 'The export was cancelled' },
  file_processor_not_found: { status: 404, title: 'No folder for clips is configured' },
  clip_target_not_supported: { status: 415, title: 'Clips cannot be converted to match this stream' },
  clip_not_made: { status: 422, title: 'The clip cannot be converted' },
  clip_no_room: { status: 507, title: 'Not enough disk space for the clip' },
  clip_queue_full: { status: 503, title: 'Too many clips are waiting' },
  clip_cancelled: { status: 409, title: 'The clip was cancelled' },
  export_failed: { status: 500, title: 'The export stopped unexpectedly' },
  session_not_found: { status: 404, title: 'There is no such session' },
  // Subscribers
  portal_key_invalid: { status: 401, title: 'X-Auth-Token is missing or is not a valid portal key' },
  portal_not_found: { status: 404, title: 'There is no such portal' },
  portal_exists: { status: 409, title: 'A portal with this name already exists' },
  too_many_portals: { status: 409, title: 'The limit of portals is reached' },
  portal_key_not_found: { status: 404, title: 'The portal has no such key' },
  portal_key_exists: { status: 409, title: 'The portal already has a key with this name' },
  webhook_not_found: { status: 404, title: 'The portal has no such webhook' },
  too_many_webhooks: { status: 409, title: 'The limit of webhooks in this portal is reached' },
  too_many_keys: { status: 409, title: 'The limit of keys in this portal is reached' },
  subscriber_not_found: { status: 404, title: 'There is no such subscriber' },
  subscriber_exists: { status: 409, title: 'Another subscriber already has this number' },
  viewer_token_not_found: { status: 404, title: 'The subscriber has no such token' },
  too_many_viewer_tokens: { status: 409, title: 'The limit of tokens for this subscriber is reached' },
  package_not_found: { status: 404, title: 'There is no such package' },
  package_exists: { status: 409, title: 'A package with this name already exists' },
  package_in_use: { status: 409, title: 'Subscribers still have the package' },
  too_many_packages: { status: 409, title: 'The limit of packages in this portal is reached' },
  subscription_not_found: { status: 404, title: 'The subscriber does not have the package' },
  operation_not_found: { status: 404, title: 'There is no such operation' },
  // Delivery
  stream_not_running: { status: 404, title: 'The stream has nothing to play at the moment' },
  segment_gone: { status: 404, title: 'The segment is no longer in the live window' },
  media_unreadable: { status: 503, title: 'A media file cannot be read' },
  media_busy: { status: 503, title: 'Too much media is waiting for slow viewers' },
  archive_empty: { status: 404, title: 'Nothing of the stream is recorded at that time' },
  archive_not_yet: { status: 404, title: 'This time is in the future or not on disk yet' },
  archive_too_long: { status: 400, title: 'The range is longer than one address may play' },
  download_not_allowed: { status: 403, title: 'Files of this location may not be downloaded' },
  format_not_supported: { status: 404, title: 'This playback format is not supported' },
  segment_too_early: { status: 404, title: 'The segment does not exist yet' },
  track_not_found: { status: 404, title: 'The stream has no such track' },
  bad_delivery_directive: {
    status: 400,
    title: 'A delivery directive (_HLS_msn, _HLS_part, _HLS_skip) is out of range',
  },
  blocking_timeout: { status: 503, title: 'The requested segment or part was not ready in time' },
  range_not_satisfiable: { status: 416, title: 'The range is outside the content' },
  picture_not_available: { status: 404, title: 'No picture of the stream is available' },
  // Sessions
  playback_denied: { status: 403, title: 'The stream may not be played' },
  session_banned: { status: 403, title: 'The session was closed, or its user has too many sessions' },
  token_required: { status: 403, title: 'The address needs a token' },
  too_many_pending: { status: 429, title: 'Too many sessions of this address are waiting for the backend' },
  // Configuration
  config_syntax: { status: 400, title: 'The configuration text has a syntax error' },
  config_unknown_directive: { status: 400, title: 'The directive is unknown here' },
  config_bad_value: { status: 400, title: 'The value is not valid for this directive' },
  template_in_use: { status: 409, title: 'The template is used by streams' },
  storage_in_use: { status: 409, title: 'Streams are recorded into the storage' },
  config_duplicate: { status: 400, title: 'The name is used twice' },
  config_unknown_name: { status: 200, title: 'The configuration has nothing of this name' },
  config_not_effective: { status: 200, title: 'The directive is understood but has no effect in this version' },
  config_file_unreadable: { status: 500, title: 'The configuration file could not be read' },
  config_file_changed: { status: 409, title: 'The configuration file was changed on disk since it was read' },
  config_not_saved: { status: 500, title: 'The configuration file could not be written' },
  config_file_broken: { status: 409, title: 'The configuration file is invalid and is not overwritten' },
  config_unconfirmed: { status: 409, title: 'A configuration change is waiting for confirmation' },
  config_not_pending: { status: 409, title: 'No configuration change is waiting for confirmation' },
  config_changed_since: { status: 409, title: 'The configuration was changed in the meantime' },
  config_version_sealed: {
    status: 409,
    title: 'The text of this version cannot be decrypted with the key of this server',
  },
  config_version_not_found: { status: 404, title: 'There is no such version of the configuration' },
  certificate_unusable: { status: 500, title: 'The HTTPS certificate or key cannot be used' },
  port_in_use: { status: 500, title: 'Another program uses the port' },
  // Database
  data_folder_in_use: { status: 409, title: 'Another server uses the data folder' },
  database_too_new: { status: 500, title: 'The database was written by a newer version' },
  key_lost: { status: 503, title: 'A key file that existing data needs is missing, damaged or a different one' },
  database_too_old: { status: 500, title: 'The database was written before the first release' },
  database_unavailable: { status: 500, title: 'The database cannot be opened' },
  // Inputs
  bad_input_url: { status: 400, title: 'The address of the input is malformed' },
  input_not_supported: { status: 400, title: 'Inputs of this kind are not supported' },
  input_unreachable: { status: 502, title: 'The input cannot be reached' },
  input_refused: { status: 502, title: 'The source refused the connection' },
  input_timed_out: { status: 504, title: 'The input sent no frames in time' },
  input_stalled: { status: 504, title: 'The input stopped sending' },
  input_ended: { status: 502, title: 'The input ended' },
  input_file_not_found: { status: 404, title: 'The file of the input does not exist' },
  input_unreadable: { status: 502, title: 'The format of the input is not supported' },
  playlist_entry_skipped: { status: 404, title: 'An entry of the playlist cannot be played' },
  input_no_tracks: { status: 502, title: 'The input carries no audio or video that Airdesk can read' },
  input_too_large: { status: 502, title: 'The input needs too much memory for unfinished data' },
  input_too_many_changes: { status: 502, title: 'The tracks of the input change too often' },
  splice_damaged: { status: 502, title: 'A splice message of the input is damaged' },
  input_too_many_splices: { status: 502, title: 'The input sends splice messages too often' },
  probe_not_possible: { status: 409, title: 'This input cannot be checked at the moment' },
  probe_cancelled: { status: 409, title: 'The check of the input was cancelled' },
  input_not_found: { status: 404, title: 'The stream has no such input' },
  // Publishing
  publish_not_allowed: { status: 403, title: 'Publishing under this name is not allowed' },
  publish_bad_signature: {
    status: 403,
    title: 'The publishing address is not signed, or its signature is invalid',
  },
  publish_bad_password: { status: 403, title: 'The password for publishing is missing or wrong' },
  publish_busy: { status: 409, title: 'Another publisher is using this name' },
  publish_limit: { status: 503, title: 'The limit of publishing connections is reached' },
  publish_closed: { status: 502, title: 'The publisher disconnected' },
  publish_kicked: { status: 409, title: 'The publisher was disconnected by the server' },
  // Pushes
  push_bad_address: { status: 400, title: 'The address of the push is malformed' },
  push_not_supported: { status: 400, title: 'Pushes to addresses of this kind are not supported' },
  push_forbidden: { status: 403, title: 'The push leads to a forbidden address' },
  push_unreachable: { status: 502, title: 'The target of the push cannot be reached' },
  push_bad_certificate: { status: 502, title: 'The certificate of the target is not accepted' },
  push_refused: { status: 502, title: 'The target refused the stream' },
  push_login: { status: 502, title: 'The target does not accept the login' },
  push_no_answer: { status: 504, title: 'The target did not accept the stream in time' },
  push_bad_answer: { status: 502, title: 'The answer of the target cannot be read' },
  push_lost: { status: 502, title: 'The target closed the connection' },
  push_stalled: { status: 504, title: 'The target stopped accepting data' },
  push_standby: { status: 409, title: 'Another server sends to this group' },
  push_slow: { status: 502, title: 'The target accepts data too slowly' },
  push_no_tracks: { status: 502, title: 'The stream has no track for the target' },
  push_not_found: { status: 404, title: 'The stream has no such push' },
  push_exists: { status: 409, title: 'The stream is already sent to this address' },
  push_inherited: { status: 409, title: 'The pushes of the stream come from its template or live prefix' },
  push_removed: { status: 409, title: 'The push was removed' },
  push_stream_closed: { status: 409, title: 'The stream of the push was closed' },
  push_plan_ended: { status: 409, title: 'The planned end of the push has come' },
  push_idle: { status: 409, title: 'The stream of the push has no frames' },
  push_interrupted: { status: 409, title: 'The server was stopped while the push ran' },
  // Formats
  ts_not_mpegts: { status: 502, title: 'The data is not an MPEG transport stream' },
  ts_sync_lost: { status: 502, title: 'Packet synchronization of the transport stream was lost' },
  ts_continuity: { status: 502, title: 'Packets of the transport stream are missing' },
  ts_pcr_late: { status: 502, title: 'Clock references (PCR) of the transport stream come too rarely' },
  ts_pcr_jump: { status: 502, title: 'The clock of the transport stream jumps' },
  ts_transport_error: { status: 502, title: 'Packets of the transport stream are marked as damaged' },
  ts_bad_table: { status: 502, title: 'A table of the transport stream is damaged' },
  ts_program_not_found: { status: 502, title: 'The selected programme is not in the transport stream' },
  ts_too_many_tracks: { status: 502, title: 'The programme has more tracks than Airdesk reads' },
  ts_too_many_changes: { status: 502, title: 'The tables of the transport stream change too often' },
  ts_scrambled: { status: 502, title: 'The transport stream is scrambled' },
  pes_bad: { status: 502, title: 'A packet of an elementary stream is damaged' },
  pes_too_large: { status: 502, title: 'A picture is larger than the limit' },
  codec_unknown: { status: 502, title: 'The codec of a track is not supported' },
  codec_bad_config: { status: 502, title: 'The parameter sets of a track are damaged' },
  codec_no_config: { status: 502, title: 'The parameter sets of a track are missing' },
  codec_bad_frame: { status: 502, title: 'A frame of a track is damaged' },
  mp4_bad_box: { status: 502, title: 'A box of the MP4 file is damaged' },
  mp4_not_supported: { status: 502, title: 'The MP4 file uses an unsupported feature' },
  rtmp_bad_cue_point: { status: 400, title: 'A cue point of the publisher cannot be read' },
  flv_bad_tag: { status: 502, title: 'A message of the publisher is damaged' },
  rtmp_bad_handshake: { status: 502, title: 'The RTMP handshake failed' },
  rtmp_bad_chunk: { status: 502, title: 'The RTMP chunk stream is damaged' },
  rtmp_message_too_large: { status: 502, title: 'An RTMP message is larger than the limit' },
  rtmp_bad_command: { status: 502, title: 'An RTMP command is invalid' },
  rtp_lost: { status: 502, title: 'RTP packets are missing' },
  gop_too_long: { status: 502, title: 'Key frames are too far apart' },
  timestamps_jumped: { status: 502, title: 'The timestamps of the input jumped' },
  timestamps_backward: { status: 502, title: 'The timestamps of the input ran backwards' },
  frames_too_large: { status: 502, title: 'The window of the stream exceeds its memory limit' },
  // HLS inputs
  hls_bad_playlist: { status: 502, title: 'The HLS playlist of the input cannot be read' },
  hls_no_variant: { status: 502, title: 'No variant of the HLS playlist is supported' },
  hls_encryption_unsupported: { status: 502, title: 'The encryption of the segments is not supported' },
  hls_key_unavailable: { status: 502, title: 'The key of the segments is unavailable or wrong' },
  hls_segment_lost: { status: 502, title: 'A segment of the input could not be loaded' },
  hls_segment_too_large: { status: 502, title: 'A segment or the playlist of the input is larger than the limit' },
  hls_segments_missed: { status: 502, title: 'Segments left the playlist before they could be loaded' },
  hls_bad_splice_mark: { status: 502, title: 'A splice mark of the playlist cannot be read' },
  hls_gap: { status: 502, title: 'The playlist of the input has a gap' },
  hls_restarted: { status: 502, title: 'The server of the input restarted its media sequence numbers' },
  // Events
  event_sink_unreachable: { status: 502, title: 'The event receiver cannot be reached' },
  event_sink_timeout: { status: 504, title: 'The event receiver did not answer in time' },
  event_sink_refused: { status: 502, title: 'The event receiver refused the events' },
  event_sink_gone: { status: 502, title: 'The event receiver is gone' },
  event_sink_not_written: { status: 500, title: 'The event log file cannot be written' },
  event_sink_not_supported: { status: 400, title: 'The event sink address is not supported' },
  event_queue_failed: { status: 500, title: 'The queue of an event sink cannot be read or written' },
  // Codec processes
  input_quarantined: { status: 503, title: 'The input is in quarantine because it crashed its media thread twice' },
  media_thread_failed: { status: 502, title: 'A media thread ended unexpectedly' },
  media_thread_timeout: { status: 504, title: 'A media thread did not answer in time' },
  codec_process_failed: { status: 502, title: 'A codec process ended unexpectedly' },
  codec_process_timeout: { status: 504, title: 'A codec process did not answer in time' },
} as const satisfies Record<string, ErrorEntry>;

/** Code of the error catalogue. */
export type ErrorCode = keyof typeof ERRORS;

/** Error as a plain value that crosses a boundary. */
export interface ErrorValue {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
  /** Code and facts of the message, for translations; absent for messages of other programs. */
  readonly explanation?: Explanation | undefined;
}

/**
 * Only error class of use cases and APIs. It is raised with a code of the catalogue, and converted into a reply in one place,
 * at the end of a request.
 */
export class AirdeskError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
  readonly explanation: Explanation | undefined;

  /** @param message sentence, or an explanation with its sentence (`because`) */
  constructor(
    code: ErrorCode,
    message: string | Explained = ERRORS[code].title,
    details: Readonly<Record<string, string | number | boolean | null>> = {},
    options?: ErrorOptions,
  ) {
    super(typeof message === 'string' ? message : message.detail, options);
    this.name = 'AirdeskError';
    this.code = code;
    this.details = details;
    this.explanation = typeof message === 'string' ? undefined : message.explanation;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  static fromValue({ code, message, details, explanation }: ErrorValue): AirdeskError {
    return new AirdeskError(code, { detail: message, explanation }, details);
  }

  /** Converts the error into a plain value. */
  toValue(): ErrorValue {
    const { code, message, details, explanation } = this;
    return { code, message, details, ...(explanation ? { explanation } : {}) };
  }
}

/** Refusal of a parameter of a request. */
export function badParameter(
  parameter: string,
  message: string,
  code: 'bad_query' | 'bad_request' | 'bad_cursor' = 'bad_query',
): AirdeskError {
  return new AirdeskError(code, message, { parameter: parameter.slice(0, 200) });
}

/** True if `value` is a code of the error catalogue. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(ERRORS, value);
}
