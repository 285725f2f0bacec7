import type { ReadableFolders } from '../lib/allowed-paths.ts';
import type { MessagePort } from 'node:worker_threads';
import type { TestPictureLoop, TestPictureSpec } from '../ingest/fake/test-picture-source.ts';
import type { ExternalSpec } from '../ingest/external/external-reader-port.ts';
import type { InputFault, InputPhase } from '../ingest/failover-state.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { PublishRequest } from '../ingest/input.ts';
import type { CertificatePem } from '../ingest/rtmp/rtmp-server.ts';
import type { PlaylistPosition } from '../ingest/playlist/playlist-input.ts';
import type { Track } from '../media/track.ts';
import type { SegmenterOptions, SegmenterResume } from '../segment/segmenter-options.ts';
import type { SharedBytes, WindowEvent } from '../segment/window-event.ts';

/** One input of a stream: an address and its options, as configured. */
export interface InputSpec {
  readonly url: string;
  readonly options: Readonly<Record<string, string>>;
}

/** One of several inputs of a stream. */
export interface StreamInputSpec extends InputSpec {
  /** 1 before 2; equal ones in the order of the configuration. */
  readonly priority: number;
  /** Without a frame for this long the stream moves on to another input, in milliseconds. */
  readonly framesTimeoutMs: number;
  /** Without a frame for this long the input is closed and opened again, in milliseconds. */
  readonly sourceTimeoutMs: number;
  /** Epoch milliseconds before which it is not opened: it ended its media thread twice. */
  readonly heldUntilMs?: number;
}

/** What plays while no input gives frames. */
interface BackupSpec extends InputSpec {
  /** How long nothing may have given a frame before it plays, in milliseconds. */
  readonly afterMs: number;
  /** Epoch milliseconds before which it is not opened: it ended its media thread twice. */
  readonly heldUntilMs?: number;
}

/** Everything that a media thread needs to be the home of a stream. */
export interface StreamSpec {
  /** Number of this run of the stream; never used twice. */
  readonly id: number;
  /** Number of the publisher that comes into it with this, never used twice; undefined where none does. */
  readonly publication?: number;
  readonly name: string;
  readonly segmenter: SegmenterOptions;
  /** In the order of the configuration. One of them at most waits for a publisher: `publish://`. */
  readonly inputs: readonly StreamInputSpec[];
  readonly backup?: BackupSpec;
  /** Attempts to get one input back before it is given up; null for no limit. */
  readonly retryLimit: number | null;
  /** Where the window of an earlier run ended, in epoch milliseconds; 0 for none. */
  readonly endMs: number;
  readonly resume: SegmenterResume;
}

/** What a media thread is started with. */
export interface MediaThreadOptions {
  readonly index: number;
  /** Folder for `file://` inputs with relative paths. */
  readonly fileRoot: string;
  /** The ports that the server listens on (`OwnPorts`). */
  readonly ownPorts?: SharedArrayBuffer | undefined;
  /** Where the thread counts the parts of copied streams that it has taken: an `Int32Array` of one. */
  readonly handledCopies: SharedArrayBuffer;
  /** Where reads of files are counted, of all media threads together, and how many there may be. */
  readonly fileTurns: SharedArrayBuffer;
  readonly fileLimit: number;
  /** Where connections by RTMP are counted, of all media threads together (`ConnectionBoard`). */
  readonly rtmpConnections: SharedArrayBuffer;
  /** Folders that files may be read from, beside the data folder. */
  readonly readableFolders: ReadableFolders;
  /** Where the thread notes which input it works on. */
  readonly workMark: SharedArrayBuffer;
}

/** The answer of the server thread to a publisher. */
export type PublishAnswer =
  | { readonly accepted: true; readonly stream: StreamSpec }
  | { readonly accepted: false; readonly code: string; readonly detail: string };

/** Measurements of one track over the last seconds. */
export interface TrackStatus {
  readonly track: Track;
  /** Bits per second. */
  readonly bitrate: number;
  /** Access units per second. */
  readonly rate: number;
}

/** A fault as it is counted for the operator. */
export interface ProblemStatus {
  readonly code: string;
  readonly detail: string;
  /** Epoch milliseconds of the last time. */
  readonly at: number;
  readonly count: number;
}

/** The state of one input of a stream. */
interface InputStatus {
  /** As configured. */
  readonly url: string;
  readonly priority: number;
  readonly phase: InputPhase;
  /** Epoch milliseconds of its newest frame; 0 before the first. */
  readonly lastUnitMs: number;
  /** Attempts to get it back since frames last came. */
  readonly retryCount: number;
  /** Faults in its bytes and of its connections so far. */
  readonly errorCount: number;
  readonly lastFault?: InputFault;
}

/** The state of one stream on its media thread, as it is measured about once a second. */
export interface StreamMeasurements {
  readonly id: number;
  /** When it was measured, epoch milliseconds. */
  readonly measuredMs: number;
  /** In the order of the configuration. */
  readonly inputs: readonly InputStatus[];
  /** Place of the input on air, or of the last one that was; null for none and for the backup. */
  readonly activeInput: number | null;
  /** Index of the selected input. */
  readonly selectedInput: number | null;
  readonly isBackupOnAir: boolean;
  /** Times that another input went on air, in this run of the stream. */
  readonly inputSwitches: number;
  /** `idle`: waits for a publisher; `opening`: inputs that gave nothing yet; `running`; `error`: an input was lost, or waits to be tried again. */
  readonly phase: 'idle' | 'opening' | 'running' | 'error';
  /** Epoch milliseconds of the newest frame; 0 before the first. */
  readonly lastUnitMs: number;
  /** Epoch milliseconds at which it turned running; 0 if it does not. */
  readonly startedMs: number;
  readonly bytesIn: number;
  readonly retryCount: number;
  /** All but those of clocks. */
  readonly errorsPerSecond: number;
  /** Of a transport stream: places where packets are missing, and clock references that were late or jumped. */
  readonly continuityErrorsPerSecond: number;
  readonly clockErrorsPerSecond: number;
  /** When the newest of each came, epoch milliseconds; 0 for never. */
  readonly lastErrorsMs: { readonly all: number; readonly continuity: number; readonly clock: number };
  /** The publisher, where there is one: address and software. */
  readonly publisher?: string;
  /** What a playlist plays, where one is open. */
  readonly playlist?: PlaylistPosition;
  readonly tracks: readonly TrackStatus[];
  readonly problems: readonly ProblemStatus[];
}

/** What a media thread does, and what it refused since it was started. */
export interface ThreadStatus {
  readonly index: number;
  /** Share of one core over the last second, 0 to 1. */
  readonly load: number;
  readonly publishers: number;
  /** Inputs that were disconnected because all together held too many unfinished bytes. */
  readonly evictedInputs: number;
  /** Connections by RTMP that were closed at once, because there were too many. */
  readonly refusedConnections: number;
}

/** What happened to the window of one run. */
export interface WindowBatch {
  readonly id: number;
  readonly events: readonly WindowEvent[];
}

/** What happens to a stream that is copied into another. */
export type CopyEvent =
  | { readonly type: 'tracks'; readonly tracks: readonly Track[] }
  /** A part of one track, retained for its receiver. */
  | { readonly type: 'part'; readonly trackId: string; readonly bytes: SharedBytes }
  | { readonly type: 'splice'; readonly atMs: number; readonly section: string }
  | { readonly type: 'idle' };

/** A port that encoders publish to by RTMP, as a media thread opens it. */
export interface RtmpListener {
  /** Its number, the same on all threads. */
  readonly listener: number;
  /** Address to listen on; default all of both families. */
  readonly host?: string;
  readonly port: number;
  readonly reusePort: boolean;
  /** Makes it speak TLS; plain TCP without it. */
  readonly tls?: CertificatePem;
}

/** A publisher whose connection lies on another media thread, or in the server thread, and the stream that it was let into. */
export interface AcceptedPublisher {
  readonly request: PublishRequest;
  readonly stream: StreamSpec;
}

/** The answer to a publisher: where its stream lives on another thread, `relay` is the way there. */
export type PublishDecided = PublishAnswer & { readonly relay?: MessagePort };

/** Messages of the server thread to a media thread. */
export interface ToMediaThread {
  readonly calls: {
    /** Closes a stream, by the number of its run; the answer, behind its last events: epoch milliseconds to which its timeline has come. */
    readonly 'close-stream': readonly [number, number];
    /** Listens for encoders; the answer is the port. */
    readonly 'rtmp-listen': readonly [RtmpListener, number];
    /** Gives the port of a listener back and disconnects its encoders. */
    readonly 'rtmp-close': readonly [number, undefined];
    /** Takes a publisher over the relay from the thread of its connection. */
    readonly 'take-relay': readonly [AcceptedPublisher & { readonly relay: MessagePort }, undefined];
    /** Closes all streams and the thread; the answer is the last that it says. */
    readonly close: readonly [undefined, undefined];
  };
  readonly feeds: {
    /** MPEG-TS that an encoder sends as the body of an HTTP request. */
    readonly 'http-publish': readonly [AcceptedPublisher, Uint8Array];
  };
  readonly subscriptions: {
    /** What happens to the window of a stream that another one copies; waits for it where it is not there yet. */
    readonly copy: readonly [{ readonly source: string; readonly follower: string }, readonly CopyEvent[]];
  };
  readonly events: {
    readonly open: StreamSpec;
    /** An input is to be on air, by its place in the configuration; null for the best one. */
    readonly 'select-input': { readonly id: number; readonly index: number | null };
    /** A splice information section, with its time on the clock of the output, for a stream that runs. */
    readonly splice: { readonly id: number; readonly atMs: number; readonly section: Uint8Array };
    /** The open parts of a stream that runs are wanted in chunks, too, until a time. */
    readonly 'want-chunks': { readonly id: number; readonly untilMs: number };
    /** Another certificate for the next handshakes of a listener. */
    readonly 'rtmp-certificate': { readonly listener: number; readonly tls: CertificatePem };
    /** Folders that files may be read from, beside the data folder. */
    readonly 'readable-folders': ReadableFolders;
  };
}

/** Messages of a media thread to the server thread. */
export interface FromMediaThread {
  readonly calls: {
    /** Whether an encoder may publish. */
    readonly publish: readonly [PublishRequest, PublishDecided];
    /** Only a codec process can make one. */
    readonly 'test-picture': readonly [TestPictureSpec, TestPictureLoop];
    /** Has a codec process read an address until it is cancelled; the answer is the words of its end, `undefined` for one in order. */
    readonly 'read-external': readonly [ExternalSpec, string | undefined];
  };
  readonly feeds: Record<never, never>;
  readonly subscriptions: Record<never, never>;
  readonly events: {
    /** The thread works. */
    readonly ready: undefined;
    /** A fault in the handling of one input, in words; the thread goes on. */
    readonly fault: string;
    /** What happened to the windows of streams in one turn of the event loop, or in some milliseconds. */
    readonly windows: readonly WindowBatch[];
    /** Measurements: of all streams about once a second, with those of the thread; of single ones at once when something happened to their inputs, without. */
    readonly status: { readonly thread: ThreadStatus | null; readonly streams: readonly StreamMeasurements[] };
    /** A publisher of a run is gone. */
    readonly 'publish-ended': { readonly id: number; readonly publication: number | undefined };
    /** Something happened to the inputs of a run. */
    readonly notice: { readonly id: number; readonly notice: FailoverNotice };
  };
}
