import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../setup/support/repository.ts';
import { composeProblems } from '../support/schemas/compose-schema.ts';
import { at, readYaml, type Yaml } from './support/yaml.ts';

const fileOf = (name: string) => readFileSync(join(ROOT, 'examples/cluster', name), 'utf8');
/** A text, or what stands there instead. */
const textOf = (value: Yaml | undefined) => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
const list = (value: Yaml | undefined) => (Array.isArray(value) ? (value as readonly Yaml[]) : []);
const names = (value: Yaml | undefined) => Object.keys((value ?? {}) as object);

/** Seconds that a node of the example has for its runs when it is stopped. */
const DRAIN = Number(/drainTimeout: ([\d_]+)/.exec(fileOf('server.ts'))?.[1]?.replace('_', '')) / 1000;
/** The variables that server.ts reads. */
const VARIABLES: readonly string[] =
  /const \{ (.*) \} = process\.env/.exec(fileOf('server.ts'))?.[1]?.match(/[A-Z_]{3,}/g) ?? [];

describe('the reader of manifests', () => {
  it('reads what it knows, and refuses what it does not', () => {
    const text = 'a:\n  - b: 1\n    c: ["x", "y"]\n  - d\n---\n# nothing\ne: {}\n';
    expect(readYaml(text)).toEqual([{ a: [{ b: '1', c: ['x', 'y'] }, 'd'] }, { e: {} }]);
    for (const wrong of ['a: 1\na: 2', 'a:\n\tb: 1', 'a:\n    b: 1\n  c: 2', 'a: &x 1', 'a', 'a:\n']) {
      expect(() => readYaml(wrong), wrong).toThrow(/Line \d/);
    }
  });
});

/** Which kinds there are, in which group, and the members of their `spec` that must be there. */
const KINDS: Readonly<Record<string, readonly [group: string, ...members: string[]]>> = {
  Deployment: ['apps/v1', 'selector', 'template'],
  StatefulSet: ['apps/v1', 'selector', 'template', 'serviceName'],
  Service: ['v1', 'selector', 'ports'],
  PodDisruptionBudget: ['policy/v1', 'selector'],
};

describe('the manifests for Kubernetes', () => {
  const objects = readYaml(fileOf('kubernetes.yaml'));
  const find = (kind: string, name: string) =>
    objects.find((one) => at(one, 'kind') === kind && at(one, 'metadata', 'name') === name);
  const workloads = objects.filter((one) => at(one, 'spec', 'template') !== undefined);
  const podOf = (workload: Yaml | undefined) => at(workload, 'spec', 'template', 'spec');
  const containersOf = (workload: Yaml) => list(at(podOf(workload), 'containers'));

  it('are of kinds that there are, each with a name of its own and what its kind needs', () => {
    const seen = objects.map((one) => `${textOf(at(one, 'kind'))} ${textOf(at(one, 'metadata', 'name'))}`);
    expect(new Set(seen).size).toBe(objects.length);
    for (const one of objects) {
      const [group, ...members] = KINDS[textOf(at(one, 'kind'))] ?? ['no such kind'];
      expect(at(one, 'apiVersion')).toBe(group);
      expect(names(at(one, 'spec'))).toEqual(expect.arrayContaining(members));
    }
  });

  it('select the pods that they mean, at ports that these have', () => {
    for (const workload of workloads) {
      const labels = at(workload, 'spec', 'template', 'metadata', 'labels');
      expect(at(workload, 'spec', 'selector', 'matchLabels')).toEqual(labels);
      const service = find('Service', textOf(at(workload, 'metadata', 'name')));
      expect(at(service, 'spec', 'selector')).toEqual(labels);
      const ports = containersOf(workload).flatMap((container) =>
        list(at(container, 'ports')).map((port) => at(port, 'name')),
      );
      for (const port of list(at(service, 'spec', 'ports'))) expect(ports).toContain(at(port, 'targetPort'));
    }
    expect(at(find('PodDisruptionBudget', 'node'), 'spec', 'selector')).toEqual(
      at(find('Deployment', 'node'), 'spec', 'selector'),
    );
  });

  it('have images of a version, and bounds for memory', () => {
    for (const container of workloads.flatMap(containersOf)) {
      expect(at(container, 'image')).toMatch(/:\d/);
      expect(at(container, 'resources', 'limits', 'memory')).toMatch(/^\d+[MG]i$/);
    }
  });

  it('run three nodes that are asked for /readyz and /livez, and have more time to end than runs to drain', () => {
    const node = find('Deployment', 'node');
    const [container] = list(at(podOf(node), 'containers'));
    expect(Number(at(node, 'spec', 'replicas'))).toBe(3);
    const pathOf = (probe: string) => at(container, probe, 'httpGet', 'path');
    expect([pathOf('readinessProbe'), pathOf('livenessProbe'), pathOf('startupProbe')]).toEqual([
      '/readyz',
      '/livez',
      '/livez',
    ]);
    expect(at(container, 'readinessProbe', 'httpGet', 'port')).toBe(at(container, 'ports', 0, 'name'));
    const before = Number(at(container, 'lifecycle', 'preStop', 'sleep', 'seconds'));
    expect(DRAIN).toBeGreaterThan(0);
    expect(Number(at(podOf(node), 'terminationGracePeriodSeconds'))).toBeGreaterThan(before + DRAIN);
    expect(VARIABLES).toEqual(expect.arrayContaining(list(at(container, 'env')).map((one) => textOf(at(one, 'name')))));
  });

  it('take passwords from the secret that the first line makes, and hold none', () => {
    const made = [...fileOf('kubernetes.yaml').matchAll(/--from-literal=([\w-]+)=/g)].map(([, name]) => name);
    const used = workloads.flatMap(containersOf).flatMap((container) => list(at(container, 'env')));
    const keys = used.flatMap((one) => at(one, 'valueFrom', 'secretKeyRef', 'key') ?? []);
    expect(new Set(keys)).toEqual(new Set(made));
    for (const one of used)
      if (/PASSWORD|DATABASE_URL/.test(textOf(at(one, 'name')))) expect(at(one, 'value')).toBeUndefined();
  });
});

describe('the compose file', () => {
  const [file] = readYaml(fileOf('compose.yaml'));
  const services = at(file, 'services');
  const node = at(services, 'node');

  it('fits the published schema', () => {
    // The reader of these files leaves numbers as texts.
    const typed = JSON.parse(JSON.stringify(file), (_, value) => (/^\d+$/.test(value) ? Number(value) : value));
    expect(composeProblems(typed)).toEqual([]);
  });

  it('has services that wait for others which are there, and can tell when they are healthy', () => {
    const unhealthy: string[] = [];
    let waitedFor = 0;
    for (const name of names(services)) {
      expect(names(at(services, name)).some((member) => member === 'image' || member === 'build')).toBe(true);
      for (const other of names(at(services, name, 'depends_on'))) {
        expect(names(services)).toContain(other);
        const isWaitedFor = at(services, name, 'depends_on', other, 'condition') === 'service_healthy';
        if (isWaitedFor) waitedFor += 1;
        if (isWaitedFor && at(services, other, 'healthcheck', 'test') === undefined) unhealthy.push(other);
      }
    }
    expect(waitedFor).toBeGreaterThan(0);
    expect(unhealthy).toEqual([]);
  });

  it('runs three nodes that are asked for /readyz, with variables that server.ts reads, and time to drain', () => {
    expect(at(node, 'deploy', 'replicas')).toBe('3');
    expect(textOf(list(at(node, 'healthcheck', 'test')).at(-1))).toContain('/readyz');
    expect(VARIABLES).toEqual(expect.arrayContaining(names(at(node, 'environment'))));
    expect(Number.parseInt(textOf(at(node, 'stop_grace_period')), 10)).toBeGreaterThan(DRAIN);
  });

  it('has volumes and files that are there', () => {
    const mounts = names(services).flatMap((name) => list(at(services, name, 'volumes')).map(textOf));
    for (const [source = ''] of mounts.map((mount) => mount.split(':'))) {
      if (source.startsWith('./')) expect(fileOf(source)).not.toBe('');
      else expect(names(at(file, 'volumes'))).toContain(source);
    }
    expect(fileOf('nginx.conf')).toContain('proxy_buffering off;');
    expect(fileOf('Dockerfile')).toContain('COPY agent.ts server.ts ./');
  });
});
