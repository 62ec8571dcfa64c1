import { A2AServer } from 'parley-a2a';
import { closeOnSignals } from 'parley-a2a/node';
import { startOpenTelemetry } from 'parley-a2a/telemetry';
import { pino } from 'pino';
import { researcher, writer } from './agents.ts';

const { PORT = '4000', HOST = '127.0.0.1', METRICS_PORT = '9464' } = process.env;

// Sends traces where OTEL_EXPORTER_OTLP_ENDPOINT says; must be there before the server opens.
const telemetry = await startOpenTelemetry();
const server = new A2AServer({
  agents: [writer, researcher],
  metrics: { port: Number(METRICS_PORT), host: HOST },
  log: pino({ level: 'info' }),
  open: true,
});
await server.listen({ port: Number(PORT), host: HOST });
closeOnSignals({
  close: async () => {
    await server.close();
    await telemetry?.stop();
  },
});
console.log(JSON.stringify({ url: server.url, metrics: server.metricsUrl }));
