import type { WorkTurns } from '../../lib/work-turns.ts';
import { ContinuousTs, windowTs } from '../../packaging/mpegts/continuous.ts';
import type { Session } from '../../sessions/session.ts';
import type { BodyStream, Exchange } from '../exchange.ts';
import { CORS, MEDIA_TYPES } from '../headers.ts';
import type { StreamOutput } from '../stream-output.ts';
import { fileName, savedAs } from './download-answers.ts';
import type { AnswersTo } from '../media-answer.ts';
import { sendPaced } from './paced-body.ts';

const HEADERS = `Content-Type: ${MEDIA_TYPES.ts}\r\nCache-Control: no-store\r\n${CORS}`;

/** Maximum number of queued bytes of a viewer; above it media is skipped until the next key frame. */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

interface Viewer {
  readonly body: BodyStream;
  /** Whether the viewer gets bytes; otherwise it waits for the next entry point. */
  isJoined: boolean;
  readonly session: Session | undefined;
  /** Called when the viewer has left, to decrease the number of viewers. */
  readonly left: () => void;
}

interface Output {
  readonly endless: ContinuousTs;
  readonly viewers: Set<Viewer>;
  readonly stop: () => void;
}

/** Continuous transport streams over HTTP: one muxer per stream, as long as it has viewers. */
export class TsOutputs {
  readonly #outputs = new Map<StreamOutput, Output>();
  /** Number of times that media was skipped for a slow viewer. */
  skips = 0;

  /** Adds a viewer, who gets packets from the next entry point until the viewer leaves or the stream ends. */
  join(exchange: Exchange, stream: StreamOutput): void {
    const body = exchange.stream(200, HEADERS);
    if (exchange.method === 'HEAD') {
      body.end();
      return;
    }
    const output = this.#outputs.get(stream) ?? this.#open(stream);
    const { session } = exchange.connectionSession;
    const stopWatching = stream.watch();
    // A viewer whose session ends is disconnected without an error.
    const release = session?.hold(() => {
      body.abort();
      this.#leave(stream, output, viewer);
    });
    const viewer: Viewer = {
      body,
      session,
      isJoined: false,
      left: () => {
        stopWatching();
        release?.();
      },
    };
    output.viewers.add(viewer);
    exchange.onClose(() => {
      this.#leave(stream, output, viewer);
    });
    this.#pump(stream, output);
  }

  #leave(stream: StreamOutput, output: Output, viewer: Viewer): void {
    if (!output.viewers.delete(viewer)) return;
    viewer.left();
    if (output.viewers.size === 0) this.#close(stream, output);
  }

  #open(stream: StreamOutput): Output {
    const stopChanges = stream.window.onChange(() => {
      this.#pump(stream, output);
    });
    const stopClose = stream.onClose(() => {
      for (const viewer of [...output.viewers]) {
        viewer.body.end();
        this.#leave(stream, output, viewer);
      }
    });
    const output: Output = {
      endless: new ContinuousTs(stream.window),
      viewers: new Set(),
      stop: () => {
        stopChanges();
        stopClose();
      },
    };
    this.#outputs.set(stream, output);
    return output;
  }

  #close(stream: StreamOutput, output: Output): void {
    output.stop();
    if (this.#outputs.get(stream) === output) this.#outputs.delete(stream);
  }

  #pump(stream: StreamOutput, output: Output): void {
    for (const { bytes, isEntry } of output.endless.take()) {
      for (const viewer of output.viewers) {
        const isBehind = viewer.body.queuedBytes > MAX_QUEUED_BYTES;
        if (viewer.isJoined && isBehind) {
          viewer.isJoined = false;
          this.skips++;
        }
        if (!viewer.isJoined && isEntry && !isBehind) viewer.isJoined = true;
        if (!viewer.isJoined) continue;
        stream.sent(bytes.length);
        viewer.session?.sent(bytes.length);
        viewer.body.write(bytes);
      }
    }
  }
}

/**
 * Answers with the endless stream, which itself waits for its first segment.
 *
 * @param turns turns of addresses for media made on request
 */
export function tsAnswers(outputs: TsOutputs, turns: WorkTurns): AnswersTo<'mpegts'> {
  return {
    mpegts: {
      from: 'window',
      proto: 'mpegts',
      step: 'opening',
      needs: 'nothing',
      answer(exchange, output, { span }) {
        const { window } = output;
        // A window that is not live is read from its start, by each viewer at their own pace.
        if (window.mutability === 'live' && !span) outputs.join(exchange, output);
        else
          void sendPaced(
            exchange,
            output,
            { status: 200, headers: `${savedAs(exchange, fileName(output, span, 'ts'))}${HEADERS}`, turns },
            (signal, room) => windowTs(window, { signal, room }),
          );
      },
    },
  };
}
