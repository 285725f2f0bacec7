import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import { serverAlerts } from '../control/server-alerts.ts';
import type { KeyService } from '../control/system/key-service.ts';
import type { CertificateFiles } from '../host/certificate-files.ts';
import type { ArchiveUnit } from './archive.ts';
import type { ConfigurationUnit } from './configuration.ts';
import type { DataFolder } from './data-folder.ts';
import type { Listeners } from './listeners.ts';
import type { ServerOptions } from './server-options.ts';
import type { SubscribersUnit } from './subscribers.ts';
import type { Storage } from './storage.ts';

/** Faults of the server itself, by subject. */
export type Alerts = Record<string, Fault>;

/** Sources of faults of the server itself. */
export interface AlertDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'hasSandbox'>;
  readonly folder: DataFolder;
  readonly storage: Storage;
  readonly configuration: ConfigurationUnit;
  readonly listeners: Listeners;
  readonly certificates: CertificateFiles;
  readonly archive: Pick<ArchiveUnit, 'alerts'>;
  readonly subscribers: Pick<SubscribersUnit, 'alert'>;
  readonly keys: Pick<KeyService, 'alerts'>;
}

/** Collects the alerts that need an operator, by subject. */
export function alertsOf({
  options,
  folder,
  storage,
  configuration: { configuration, rightsFault },
  listeners,
  certificates,
  archive,
  subscribers,
  keys,
}: AlertDeps): Alerts {
  const certificate = certificates.alert(options.clock.now());
  return {
    ...serverAlerts({
      configuration,
      disk: folder.fault,
      database: storage.fault,
      history: configuration.history.fault,
    }),
    ...(options.hasSandbox === false ? { window_sandbox: { fault: 'no_sandbox', facts: {} } as const } : {}),
    ...(rightsFault === null ? {} : { config_rights: rightsFault }),
    ...listeners.alerts(),
    ...(certificate === null ? {} : { certificate }),
    ...archive.alerts,
    ...keys.alerts,
    ...(subscribers.alert === null ? {} : { subscribers: subscribers.alert }),
  };
}
