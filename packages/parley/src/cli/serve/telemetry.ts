import { type StartedTelemetry, startOpenTelemetry } from '../../server/telemetry/node/start-sdk.ts';
import type { Surroundings } from '../surroundings.ts';
import { type ServeSettings, settingOf } from './settings/serve-settings.ts';

/** The settings that stand in for a variable of OpenTelemetry. */
const VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'telemetry.endpoint',
  OTEL_SERVICE_NAME: 'telemetry.serviceName',
} as const;

/** Starts an OpenTelemetry provider by the environment and the settings. A variable that is set wins over its setting. */
export async function startTelemetry(
  settings: ServeSettings,
  env: Surroundings['env'],
  warn: (text: string) => void,
): Promise<StartedTelemetry | undefined> {
  if (settingOf<boolean>(settings, 'telemetry') === false) return undefined;
  const added = Object.entries(VARIABLES).flatMap(([variable, name]) => {
    const value = settingOf<string>(settings, name);
    return value === undefined || env[variable] ? [] : [[variable, value] as const];
  });
  // The SDK reads the variables of the process.
  for (const [variable, value] of added) process.env[variable] = value;
  return startOpenTelemetry({ env: { ...env, ...Object.fromEntries(added) }, warn });
}
