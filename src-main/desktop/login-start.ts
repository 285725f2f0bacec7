import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the application starts when its user logs in. */
export interface LoginStart {
  isOn(): boolean;
  /** @throws where the system does not let it be kept */
  set(isOn: boolean): void;
}

/**
 * The start at login of desktops of Linux: a file in the folder of what they start (Desktop Application Autostart Specification).
 *
 * @param program path of the program, of the AppImage where it is one
 * @param configFolder `$XDG_CONFIG_HOME`
 */
export function autostart(program: string, configFolder: string): LoginStart {
  const folder = join(configFolder, 'autostart');
  const file = join(folder, 'airdesk.desktop');
  return {
    isOn: () => existsSync(file),
    set(isOn) {
      if (!isOn) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `[Desktop Entry]\nType=Application\nName=Airdesk\nExec=${quoted(program)}\n`);
    },
  };
}

/** An argument of the key `Exec`, quoted as the Desktop Entry Specification says: once for its quotes, and once for the text of a key. */
function quoted(argument: string): string {
  const inQuotes = argument.replace(/["`$\\]/g, (one) => `\\${one}`);
  return `"${inQuotes.replaceAll('\\', '\\\\').replaceAll('%', '%%')}"`;
}
