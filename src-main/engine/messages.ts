import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { ReadableFolders } from '../lib/allowed-paths.ts';
import type { MessagePort } from 'node:worker_threads';
import type { TestPictureLoop, TestPictureSpec } from '../ingest/fake/test-picture-source.ts';
import type { ExternalSpec } from '../ingest/external/external-reader-port.ts';
import type { InputFault, InputPhase } from '../ingest/failover-state.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { InputEnd, PublishRequest, InputSpec } from '../ingest/input.ts';
import type { PlayRequest } from '../ingest/rtmp/play-port.ts';
import type { Prepush } from '../stream/unit-cache.ts';
import type { CertificatePem } from '../ingest/rtmp/rtmp-server.ts';
import type { PlaylistPosition } from '../ingest/playlist/playlist-input.ts';
import type { LeftOutTrack } from '../media/access-unit.ts';
import type { Track, VideoTrack } from '../media/track.ts';
import type { PushNotice, PushSpec, PushStatus } from '../push/push-spec.ts';
import type { SegmenterOptions, SegmenterResume } from '../segment/segmenter-options.ts';
import type { SharedBytes, WindowEvent } from '../segment/window-event.ts';

/** One of several inputs of a stream. */
export interface StreamInputSpec extends InputSpec {
  /** The input with the lowest number has priority; inputs with equal numbers follow the order of the configuration. */
  readonly priority: number;
  /** Time without a frame after which the stream switches to another input, in milliseconds. */
  readonly framesTimeoutMs: number;
  /** Time without a frame after which the input is closed and opened again, in milliseconds. */
  readonly sourceTimeoutMs: number;
  /** Epoch milliseconds before which the input is not opened, because it ended its media thread twice. */
  readonly heldUntilMs?: number;
}

/** Backup file, which plays while no input delivers frames. */
interface BackupSpec extends InputSpec {
  /** Time without a frame of any input after which the backup plays, in milliseconds. */
  readonly afterMs: number;
  /** Epoch milliseconds before which the file is not opened, because it ended its media thread twice. */
  readonly heldUntilMs?: number;
}

/** Specification of a stream for its media thread. */
export interface StreamSpec {
  /** Number of this run of the stream, which is never reused. */
  readonly id: number;
  /** Number of the publisher that opens the stream, which is never reused; undefined without a publisher. */
  readonly publication?: number;
  readonly name: string;
  readonly segmenter: SegmenterOptions;
  /** Inputs in the order of the configuration. At most one waits for a publisher: `publish://`. */
  readonly inputs: readonly StreamInputSpec[];
  readonly backup?: BackupSpec;
  /** Media that a new RTMP player gets at once; undefined for none. */
  readonly prepush?: Prepush;
  /** Servers that the stream is sent to. */
  readonly pushes?: readonly PushSpec[];
  /** Maximum number of attempts to reopen an input; null for no limit. */
  readonly retryLimit: number | null;
  /** End of the window of earlier runs, in epoch milliseconds; 0 for none. */
  readonly endMs: number;
  readonly resume: SegmenterResume;
}

/** Start data of a media thread. */
export interface MediaThreadOptions {
  readonly index: number;
  /** Base folder of `file://` inputs with relative paths. */
  readonly fileRoot: string;
  /** Ports that the server listens on (`OwnPorts`). */
  readonly ownPorts?: SharedArrayBuffer | undefined;
  /** Counter of the parts of copied streams that the thread has released: an `Int32Array` of one element. */
  readonly handledCopies: SharedArrayBuffer;
  /** Counters of file reads of all media threads, and their maximum. */
  readonly fileTurns: SharedArrayBuffer;
  readonly fileLimit: number;
  /** Counters of RTMP connections of all media threads (`ConnectionBoard`). */
  readonly rtmpConnections: SharedArrayBuffer;
  /** Folders with readable files besides the data folder. */
  readonly readableFolders: ReadableFolders;
  /** Mark of the input that the thread works on. */
  readonly workMark: SharedArrayBuffer;
}

/** Answer of the server thread to a publisher. */
export type PublishAnswer =
  { readonly accepted: true; readonly stream: StreamSpec } | ({ readonly accepted: false } & InputEnd);

/** Measurements of one track over the last seconds. */
export interface TrackStatus {
  readonly track: Track;
  /** Bits per second. */
  readonly bitrate: number;
  /** Access units per second. */
  readonly rate: number;
}

/** A counted fault for the operator. */
export interface ProblemStatus extends Explained {
  readonly code: string;
  /** Time of the last occurrence, in epoch milliseconds. */
  readonly at: number;
  readonly count: number;
}

/** State of one input of a stream. */
interface InputStatus {
  /** Address as configured. */
  readonly url: string;
  readonly priority: number;
  readonly phase: InputPhase;
  /** Epoch milliseconds of its newest frame; 0 before the first. */
  readonly lastUnitMs: number;
  /** Number of attempts to reopen it since its last frame. */
  readonly retryCount: number;
  /** Number of faults in its bytes and connections so far. */
  readonly errorCount: number;
  readonly lastFault?: InputFault;
}

/** State of one stream on its media thread, measured about once a second. */
export interface StreamMeasurements {
  readonly id: number;
  /** Time of the measurement, in epoch milliseconds. */
  readonly measuredMs: number;
  /** In the order of the configuration. */
  readonly inputs: readonly InputStatus[];
  /** Index of the input that is or was last on air; null if there is none, or if the backup is on air. */
  readonly activeInput: number | null;
  /** Index of the input that an operator selected; null if none is selected. */
  readonly selectedInput: number | null;
  readonly isBackupOnAir: boolean;
  /** Number of switches between inputs in this run of the stream. */
  readonly inputSwitches: number;
  /**
   * `idle`: waits for a publisher; `opening`: no input has delivered frames yet; `running`: frames arrive; `error`:
   * the frames stopped, or an input waits for its next attempt.
   */
  readonly phase: 'idle' | 'opening' | 'running' | 'error';
  /** Epoch milliseconds of the newest frame; 0 before the first. */
  readonly lastUnitMs: number;
  /** Time when the phase became `running`, in epoch milliseconds; 0 if it is not `running`. */
  readonly startedMs: number;
  readonly bytesIn: number;
  readonly retryCount: number;
  /** Faults per second, except those of clock references. */
  readonly errorsPerSecond: number;
  /** Missing packets of a transport stream, and late or jumping clock references, per second. */
  readonly continuityErrorsPerSecond: number;
  readonly clockErrorsPerSecond: number;
  /** Time of the newest fault of each kind, in epoch milliseconds; 0 if there was none. */
  readonly lastErrorsMs: { readonly all: number; readonly continuity: number; readonly clock: number };
  /** Address and software of the publisher, if any. */
  readonly publisher?: string;
  /** Position of the playlist, if one is open. */
  readonly playlist?: PlaylistPosition;
  readonly tracks: readonly TrackStatus[];
  /**
   * Tracks that are left out because their codecs are not supported: of the input on air, or of all connected inputs while
   * none is on air.
   */
  readonly leftOut: readonly LeftOutTrack[];
  readonly problems: readonly ProblemStatus[];
  /** Absent without pushes. */
  readonly pushes?: readonly PushStatus[];
}

/** Measurements of a media thread. */
export interface ThreadStatus {
  readonly index: number;
  /** Share of one core over the last second, 0 to 1. */
  readonly load: number;
  readonly publishers: number;
  /** Number of inputs disconnected because all inputs together had too much incomplete data. */
  readonly evictedInputs: number;
  /** Number of RTMP connections refused because there were too many. */
  readonly refusedConnections: number;
}

/** Window events of one run. */
export interface WindowBatch {
  readonly id: number;
  readonly events: readonly WindowEvent[];
}

/** An event of a stream for its copies. */
export type CopyEvent =
  | { readonly type: 'tracks'; readonly tracks: readonly Track[] }
  /** A part of one track, retained for its receiver. */
  | { readonly type: 'part'; readonly trackId: string; readonly bytes: SharedBytes }
  | { readonly type: 'splice'; readonly atMs: number; readonly section: string }
  | { readonly type: 'idle' };

/** RTMP port for encoders, as opened by a media thread. */
export interface RtmpListener {
  /** Number of the listener, the same on all threads. */
  readonly listener: number;
  /** Address to listen on; default: all addresses of both families. */
  readonly host?: string;
  readonly port: number;
  readonly reusePort: boolean;
  /** Certificate for TLS; plain TCP without it. */
  readonly tls?: CertificatePem;
}

/** Request of a publisher, and the stream that accepted it. */
export interface AcceptedPublisher {
  readonly request: PublishRequest;
  readonly stream: StreamSpec;
}

/** Request to open an address for a short time. */
export interface ProbeRequest {
  readonly spec: InputSpec;
  /** Time for the first frames, and for the measurement, in milliseconds. */
  readonly limitMs: number;
}

/** Key frame of an input, for a still. */
export interface ProbedPicture extends Pick<VideoTrack, 'codec' | 'decoderConfig'> {
  /** NAL units, each after its length in four bytes. */
  readonly data: Uint8Array;
}

/** Content of an address that was opened for a short time. */
export interface ProbedInput {
  readonly tracks: readonly TrackStatus[];
  /** Tracks that a stream would leave out. */
  readonly leftOut: readonly LeftOutTrack[];
  readonly problems: readonly ProblemStatus[];
  /** Newest key frame of the first video track; absent if there was none. */
  readonly picture?: ProbedPicture;
}

/** Answer to a publisher. `relay` connects to the thread of its stream, if that is not the thread of the connection. */
export type PublishDecided = PublishAnswer & { readonly relay?: MessagePort };

/** Answer to an RTMP player: the name of its stream, or a refusal. */
export type PlayAnswer = { readonly accepted: true; readonly name: string } | ({ readonly accepted: false } & InputEnd);

/** RTMP player of a media thread, with bytes that were sent to it. */
export interface PlayerBytes {
  readonly player: number;
  readonly bytes: number;
}

/** Messages from the server thread to a media thread. */
export interface ToMediaThread {
  readonly calls: {
    /**
     * Closes a stream by the number of its run. The answer comes after its last events: the end of its timeline, in
     * epoch milliseconds.
     */
    readonly 'close-stream': readonly [number, number];
    /** Listens for encoders; the answer is the port. */
    readonly 'rtmp-listen': readonly [RtmpListener, number];
    /** Closes the port of a listener and disconnects its encoders. */
    readonly 'rtmp-close': readonly [number, undefined];
    /** Accepts a publisher through the relay from the thread of its connection. */
    readonly 'take-relay': readonly [AcceptedPublisher & { readonly relay: MessagePort }, undefined];
    /** Sends a stream, by its name, to the players on another thread. */
    readonly 'send-played': readonly [{ readonly name: string; readonly relay: MessagePort }, undefined];
    /** Takes a stream for its players from another thread. */
    readonly 'take-played': readonly [
      { readonly name: string; readonly prepush?: Prepush; readonly relay: MessagePort },
      undefined,
    ];
    /** Opens an address until its content is known; the answer is the reason if it cannot be read. */
    readonly probe: readonly [ProbeRequest, ProbedInput | InputEnd];
    /** Closes all streams and the thread; the answer is its last message. */
    readonly close: readonly [undefined, undefined];
  };
  readonly feeds: {
    /** MPEG-TS of an encoder from the body of an HTTP request. */
    readonly 'http-publish': readonly [AcceptedPublisher, Uint8Array];
  };
  readonly subscriptions: {
    /** Window events of a copied stream; waits if the stream does not exist yet. */
    readonly copy: readonly [{ readonly source: string; readonly follower: string }, readonly CopyEvent[]];
  };
  readonly events: {
    readonly open: StreamSpec;
    /** Disconnects a player. */
    readonly 'close-player': { readonly player: number; readonly end: InputEnd };
    /** Puts an input on air, by its index in the configuration; null for the best one. */
    readonly 'select-input': { readonly id: number; readonly index: number | null };
    /** Splice information section with its output time, for a running stream. */
    readonly splice: { readonly id: number; readonly atMs: number; readonly section: Uint8Array };
    /** Requests the open parts of a running stream in chunks until a time, in addition to its complete parts. */
    readonly 'want-chunks': { readonly id: number; readonly untilMs: number };
    /** New pushes of a running stream. */
    readonly pushes: { readonly id: number; readonly pushes: readonly PushSpec[] };
    /** New certificate for the next handshakes of a listener. */
    readonly 'rtmp-certificate': { readonly listener: number; readonly tls: CertificatePem };
    /** Folders with readable files besides the data folder. */
    readonly 'readable-folders': ReadableFolders;
  };
}

/** Messages from a media thread to the server thread. */
export interface FromMediaThread {
  readonly calls: {
    /** Asks whether an encoder may publish. */
    readonly publish: readonly [PublishRequest, PublishDecided];
    /** Asks whether a player, by its number on this thread, may play. */
    readonly play: readonly [PlayRequest & { readonly player: number }, PlayAnswer];
    /** Requests a test picture, which only a codec process can create. */
    readonly 'test-picture': readonly [TestPictureSpec, TestPictureLoop];
    /**
     * Reads an address with a codec process until it is cancelled; the answer is the error, `undefined` for an orderly
     * end.
     */
    readonly 'read-external': readonly [ExternalSpec, string | undefined];
  };
  readonly feeds: Record<never, never>;
  readonly subscriptions: Record<never, never>;
  readonly events: {
    /** The thread is ready. */
    readonly ready: undefined;
    /** An unexpected error, after which the thread continues. */
    readonly fault: string;
    /** Window events of streams, from one turn of the event loop or some milliseconds. */
    readonly windows: readonly WindowBatch[];
    /**
     * Measurements: of the thread and all its streams about once a second; of single streams, without the thread, at
     * once after an event of their inputs.
     */
    readonly status: { readonly thread: ThreadStatus | null; readonly streams: readonly StreamMeasurements[] };
    /** A publisher of a run has left. */
    readonly 'publish-ended': { readonly id: number; readonly publication: number | undefined };
    /** Bytes sent to players since the last event. */
    readonly 'played-bytes': readonly PlayerBytes[];
    /** An accepted player has left. */
    readonly 'player-left': PlayerBytes;
    /** The thread has the first player of a stream, or no player of it any more. */
    readonly 'need-played': { readonly name: string; readonly isNeeded: boolean };
    /** An event of the inputs of a run. */
    readonly notice: { readonly id: number; readonly notice: FailoverNotice };
    /** An event of a push of a run. */
    readonly 'push-notice': { readonly id: number; readonly notice: PushNotice };
  };
}
