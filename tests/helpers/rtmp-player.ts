import { amfFields, amfObject, type AmfValue } from '../../src-main/media/containers/rtmp/amf0.ts';
import { RtmpEncoder } from './rtmp-encoder.ts';

/** Player of RTMP that shows what the server sends. */
export class RtmpPlayer {
  /** Connection, with all messages of the server. */
  readonly connection: RtmpEncoder;

  private constructor(connection: RtmpEncoder) {
    this.connection = connection;
  }

  /**
   * Asks for a stream, without waiting for the answer.
   * @param path application and name, such as `static/cam?token=t`
   * @param fields further properties of `connect`
   */
  static async play(
    rtmpUrl: string,
    path: string,
    fields: Readonly<Record<string, AmfValue>> = {},
  ): Promise<RtmpPlayer> {
    const { port, hostname } = new URL(rtmpUrl);
    const end = path.lastIndexOf('/');
    const app = path.slice(0, end);
    const connection = await RtmpEncoder.connect(Number(port));
    connection.greet();
    const tcUrl = `rtmp://${hostname}:${port}/${app}`;
    connection.command('connect', 1, [amfObject({ app, tcUrl, flashVer: 'test player', ...fields })]);
    connection.command('createStream', 2, [null]);
    connection.command('play', 3, [null, path.slice(end + 1), -2000], 1);
    return new RtmpPlayer(connection);
  }

  /** Waits for a picture. */
  async untilMedia(): Promise<void> {
    await this.connection.until(() => this.connection.messages.some(({ type }) => type === 9));
  }

  /** Waits until the server has ended the connection, and returns its last status: code and description. */
  async untilEnd(): Promise<string> {
    await this.connection.untilClosed();
    const fields = this.connection.commands.flatMap(({ args }) => args.flatMap((arg) => amfFields(arg) ?? []));
    const last = fields.findLast((each) => each.has('code'));
    return [last?.get('code'), last?.get('description')]
      .map((text) => (typeof text === 'string' ? text : ''))
      .join(': ');
  }

  /** Ends the connection. */
  close(): void {
    this.connection.socket.destroy();
  }
}
