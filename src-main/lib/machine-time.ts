import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Time of the machine, independent of its wall clock. */
export interface MachineTime {
  /** Milliseconds since the machine started, including the time in sleep mode if the system counts it. */
  uptimeMs(): number;
  /** Id of this boot of the machine; null if the system has none. */
  readonly bootId: string | null;
}

/**
 * Time of this machine. On macOS, where the uptime follows the wall clock, it is the time since the process started.
 */
export const systemMachineTime: MachineTime = {
  uptimeMs: () => (process.platform === 'darwin' ? performance.now() : uptime() * 1000),
  bootId: readBootId(),
};

function readBootId(): string | null {
  if (process.platform !== 'linux') return null;
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
