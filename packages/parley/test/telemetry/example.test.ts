import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { METRICS, type Metric } from '../../src/server/telemetry/metrics/catalog.ts';
import { ROOT } from '../setup/support/repository.ts';
import type { Wire } from '../support/rpc.ts';
import { composeProblems } from '../support/schemas/compose-schema.ts';
import { readYaml } from './small-yaml.ts';

const FOLDER = join(ROOT, 'examples/telemetry');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

/** The part of the Compose specification that the file uses: everything else is refused. */
const COMPOSE = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/),
  services: z.record(
    z.string().regex(/^[a-zA-Z0-9._-]+$/),
    z.strictObject({
      image: z.string().regex(/^[a-z0-9./-]+:[\w.-]+$/),
      working_dir: z.string().startsWith('/').optional(),
      command: z.array(z.string()).optional(),
      environment: z.record(z.string().regex(/^[A-Z_]+$/), z.string()).optional(),
      volumes: z.array(z.string().regex(/^\.[^:]*:\/[^:]*:ro$/)).optional(),
      // Nothing is offered to other machines.
      ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
      depends_on: z.array(z.string()).optional(),
    }),
  ),
});

/** The names that Prometheus has for a metric: a histogram is three of them. */
const SERIES = new Map(
  Object.values(METRICS as Readonly<Record<string, Metric>>).flatMap((metric): (readonly [string, Metric])[] => {
    const { name, kind } = metric;
    if (name === undefined) return [];
    return kind === 'histogram'
      ? ['bucket', 'sum', 'count'].map((end) => [`${name}_${end}`, metric])
      : [[name, metric]];
  }),
);

/** Labels that Prometheus adds. */
const ADDED = ['le', 'instance', 'job'];

/** What is wrong with a query; undefined where every metric and every label exists. */
function problemOf(query: string): string | undefined {
  const names = query.match(/\bparley_\w+/g) ?? [];
  const missing = names.find((name) => !SERIES.has(name));
  if (missing) return `${missing} does not exist`;
  const selected = [...query.matchAll(/\{([^}]*)\}/g)].flatMap(
    ([, inner = '']) => inner.match(/\w+(?=\s*[!=])/g) ?? [],
  );
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inner = '']) =>
    inner.split(',').map((one) => one.trim()),
  );
  const known = new Set([...ADDED, ...names.flatMap((name) => SERIES.get(name)?.labels ?? [])]);
  return [...selected, ...grouped].find((label) => !known.has(label));
}

describe('examples/telemetry', () => {
  it('has a compose file that is one, whose files and services exist', () => {
    const file = readYaml(read('compose.yaml'));
    expect(composeProblems(file as object)).toEqual([]);
    const { services } = COMPOSE.parse(file);
    for (const { volumes = [], depends_on = [] } of Object.values(services)) {
      for (const volume of volumes) expect(existsSync(join(FOLDER, volume.split(':')[0] ?? '')), volume).toBe(true);
      for (const name of depends_on) expect(Object.keys(services)).toContain(name);
    }
    expect(Object.keys(services)).toEqual(['agent', 'jaeger', 'prometheus', 'grafana']);
    const script = services.agent?.command?.at(-1) ?? '';
    expect(existsSync(join(ROOT, script)), script).toBe(true);
  });

  it('would not pass with a member that Compose does not know, or of another kind', () => {
    const broken = { services: { agent: { image: 'node:24', volume: [] }, jaeger: { image: 7 } } };
    expect(composeProblems(broken).join()).toMatch(/volume/);
    expect(composeProblems(broken).join()).toMatch(/jaeger\/image/);
  });

  it('scrapes the port of the server', () => {
    const config = readYaml(read('prometheus.yml')) as Wire;
    expect(config.scrape_configs[0].static_configs[0].targets).toEqual(['agent:9464']);
    expect(read('server.ts')).toContain("METRICS_PORT = '9464'");
    for (const file of config.rule_files) expect(existsSync(join(FOLDER, file))).toBe(true);
  });

  it('has a dashboard whose queries name metrics and labels that exist', () => {
    const { panels } = JSON.parse(read('grafana/dashboards/parley.json')) as Wire;
    const targets = panels.flatMap(({ targets: all }: Wire) => all);
    expect(targets.length).toBeGreaterThan(15);
    for (const { expr } of targets) {
      expect(expr).toMatch(/parley_/);
      expect(problemOf(expr), expr).toBeUndefined();
    }
    const sources = readYaml(read('grafana/provisioning/datasources/prometheus.yml')) as Wire;
    for (const { datasource } of panels) expect(datasource.uid).toBe(sources.datasources[0].uid);
    expect(new Set(panels.map(({ id }: Wire) => id)).size).toBe(panels.length);
  });

  it('has rules for alerts whose queries do, too', () => {
    const [group] = (readYaml(read('alerts.yml')) as Wire).groups;
    expect(group.rules.length).toBeGreaterThan(5);
    for (const { alert, expr, labels, annotations, ...more } of group.rules) {
      expect(problemOf(expr), alert).toBeUndefined();
      expect(['warning', 'critical']).toContain(labels.severity);
      expect(annotations.summary).toBeTruthy();
      expect(more.for).toMatch(/^\d+m$/);
    }
  });

  it('is told of a query that names what is not there', () => {
    expect(problemOf('rate(parley_nothing_total[5m])')).toBe('parley_nothing_total does not exist');
    expect(problemOf('sum by (task) (parley_tasks)')).toBe('task');
    expect(problemOf('parley_tasks{caller="ann"}')).toBe('caller');
    expect(() => COMPOSE.parse({ name: 'x', services: { a: { image: 'a:1', ports: ['4000:4000'] } } })).toThrow();
    expect(() => readYaml('a: 1\n   b: 2')).toThrow();
  });

  it('and the document list every metric', () => {
    const page = readFileSync(join(ROOT, 'docs/operations/telemetry.md'), 'utf8');
    for (const { name, openTelemetry, labels } of Object.values(METRICS as Readonly<Record<string, Metric>>)) {
      const row = page.split('\n').find((line) => line.includes(`\`${name ?? openTelemetry}\` |`)) ?? '';
      for (const text of [name, openTelemetry, ...labels]) if (text) expect(row).toContain(`\`${text}\``);
    }
  });
});
