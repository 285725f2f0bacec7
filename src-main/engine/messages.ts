import type { TestPictureLoop, TestPictureOptions } from '../ingest/fake/test-picture-source.ts';
import type { ExternalSpec } from '../ingest/external/external-reader-port.ts';
import type { InputFault, InputPhase } from '../ingest/failover-input.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { InputEnd, PublishRequest } from '../ingest/input.ts';
import type { CertificatePem } from '../ingest/rtmp/rtmp-server.ts';
import type { PlaylistState } from '../ingest/playlist/playlist-input.ts';
import type { Track } from '../media/track.ts';
import type { PublisherRelay } from './publisher-relay.ts';
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
  /** Where the thread notes which input it works on. */
  readonly workMark: SharedArrayBuffer;
}

/** The answer of the server thread to a publisher. */
export type PublishAnswer =
  | { readonly accepted: true; readonly stream: StreamSpec }
  | { readonly accepted: false; readonly code: string; readonly detail: string };

/** What happens to a stream that is copied into another. */
export type CopyEvent =
  | { readonly type: 'tracks'; readonly tracks: readonly Track[] }
  /** A part of one track, retained for its receiver. */
  | { readonly type: 'part'; readonly trackId: string; readonly bytes: SharedBytes }
  | { readonly type: 'splice'; readonly atMs: number; readonly section: string }
  | { readonly type: 'idle' }
  | { readonly type: 'ended'; readonly end: InputEnd };

/** Messages of the server thread to a media thread. */
export type ToMediaThread =
  | { readonly kind: 'open'; readonly stream: StreamSpec }
  | { readonly kind: 'close-stream'; readonly id: number }
  | {
      readonly kind: 'select-input';
      readonly id: number;
      /** In the order of the configuration; null for the best one. */ readonly index: number | null;
    }
  | {
      readonly kind: 'publish-answer';
      readonly requestId: number;
      readonly answer: PublishAnswer;
      /** Where the stream lives on another thread. */ readonly relay?: PublisherRelay;
    }
  | {
      readonly kind: 'relay-publish';
      readonly request: PublishRequest;
      readonly stream: StreamSpec;
      readonly relay: PublisherRelay;
    }
  | {
      readonly kind: 'http-publish';
      readonly requestId: number;
      readonly request: PublishRequest;
      readonly answer: PublishAnswer;
    }
  | { readonly kind: 'http-bytes'; readonly requestId: number; readonly bytes: Uint8Array }
  | { readonly kind: 'http-end'; readonly requestId: number; readonly detail: string }
  | { readonly kind: 'copy-events'; readonly requestId: number; readonly events: readonly CopyEvent[] }
  | {
      readonly kind: 'rtmp-listen';
      readonly listener: number;
      readonly host?: string;
      readonly port: number;
      readonly reusePort: boolean;
      /** Makes it speak TLS; plain TCP without it. */
      readonly tls?: CertificatePem;
    }
  /** Another certificate for the next handshakes of a listener. */
  | { readonly kind: 'rtmp-certificate'; readonly listener: number; readonly tls: CertificatePem }
  | { readonly kind: 'rtmp-close'; readonly listener: number }
  /** Folders that files may be read from, beside the data folder. */
  | { readonly kind: 'allowed-paths'; readonly paths: readonly string[] }
  | { readonly kind: 'close' };

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

/** The state of one stream on its media thread. */
export interface StreamStatus {
  readonly id: number;
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
  readonly errorsPerSecond: number;
  /** The publisher, where there is one: address and software. */
  readonly publisher?: string;
  /** What a playlist plays, where one is open. */
  readonly playlist?: PlaylistState;
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

/** Messages of a media thread to the server thread. */
export type FromMediaThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'rtmp-listening'; readonly listener: number; readonly port: number }
  | { readonly kind: 'rtmp-failed'; readonly listener: number; readonly detail: string }
  | { readonly kind: 'rtmp-closed'; readonly listener: number }
  | { readonly kind: 'fault'; readonly detail: string }
  | {
      readonly kind: 'windows';
      readonly batches: readonly { readonly id: number; readonly events: readonly WindowEvent[] }[];
    }
  | { readonly kind: 'status'; readonly thread: ThreadStatus; readonly streams: readonly StreamStatus[] }
  | { readonly kind: 'publish-request'; readonly requestId: number; readonly request: PublishRequest }
  | { readonly kind: 'publish-ended'; readonly id: number; readonly publication: number | undefined }
  | { readonly kind: 'notice'; readonly id: number; readonly notice: FailoverNotice }
  /** So many bytes of an encoder have been parsed. */
  | { readonly kind: 'http-taken'; readonly requestId: number; readonly bytes: number }
  | { readonly kind: 'http-closed'; readonly requestId: number; readonly code: string; readonly detail: string }
  | { readonly kind: 'copy-open'; readonly requestId: number; readonly source: string; readonly follower: string }
  | { readonly kind: 'copy-close'; readonly requestId: number }
  /** Behind its last events; `endMs`: epoch milliseconds to which its timeline has come. */
  | { readonly kind: 'stream-closed'; readonly id: number; readonly endMs: number }
  | { readonly kind: 'closed' };

/** What the server thread says to a media thread. */
export interface ToMedia {
  readonly calls: Record<never, never>;
  readonly feeds: Record<never, never>;
  readonly subscriptions: Record<never, never>;
  readonly events: Record<never, never>;
}

/** What a media thread says to the server thread. */
export interface FromMedia {
  readonly calls: {
    /** Only a codec process can make one. */
    readonly 'test-picture': readonly [TestPictureOptions, TestPictureLoop];
    /** Has a codec process read an address until it is cancelled; the answer is the words of its end, `undefined` for one in order. */
    readonly 'read-external': readonly [ExternalSpec, string | undefined];
  };
  readonly feeds: Record<never, never>;
  readonly subscriptions: Record<never, never>;
  readonly events: Record<never, never>;
}
