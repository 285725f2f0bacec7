/** Media server to measure: ours or a peer. */
export interface Target {
  readonly name: string;
  readonly pid: number;
  readonly rtmpPort: number;
  readonly httpPort: number;
  /** Application that encoders publish to, for streams with a window of normal length. */
  readonly app: string;
  /** Path of the playlist that a player loads first. */
  playlist(stream: string): string;
  stop(): Promise<void>;
}

/** Starts a new server of one kind. */
export interface TargetKind {
  readonly name: string;
  /** @param streams configuration text besides the live prefixes; only ours understands it */
  start(streams?: string): Promise<Target>;
}
