import type { ApiContext } from '../endpoints/api-context.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { RuntimeMetrics } from '../metrics/runtime-metrics.ts';

export interface NativeContext extends ApiContext {
  readonly configuration: Pick<Configuration, 'config' | 'document'>;
  readonly runtime: RuntimeMetrics;
}
