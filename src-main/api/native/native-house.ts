import type { ApiHouse } from '../../control/api-house.ts';
import type { Configuration } from '../../control/configuration.ts';
import type { RuntimeMetrics } from '../../control/runtime-metrics.ts';

/** What the native API shows, and what it acts on. */
export interface NativeHouse extends ApiHouse {
  readonly configuration: Pick<Configuration, 'config' | 'document'>;
  readonly runtime: RuntimeMetrics;
}
