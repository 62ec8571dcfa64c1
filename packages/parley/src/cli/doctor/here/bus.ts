import { withoutPasswords } from '../../../config/hidden.ts';
import { type Finding, fail, ok, textOf } from '../finding.ts';

const UNREACHABLE = 'Start NATS, or check the address and the credentials; without --bus the database does its work';

/** Joins the bus as two nodes, asks one by the other, and leaves. */
export async function checkBus(address: string, isShared: boolean): Promise<Finding> {
  const shown = withoutPasswords(address);
  if (!isShared) {
    return fail('bus', `${shown} is for servers that share a store`, 'Give them one: --store postgres://…');
  }
  const lines: string[] = [];
  const note = (message: string, { error }: Readonly<Record<string, unknown>>) =>
    void lines.push(error === undefined ? message : textOf(error));
  try {
    const { nats } = await import('../../../nats.ts');
    const [first, second] = [nats(address), nats(address)];
    const name = `doctor-${crypto.randomUUID()}`;
    try {
      await first.join(name, async () => 'here', { warn: note, error: note });
      if (lines.length > 0) return fail('bus', `${shown} cannot be reached: ${lines[0]}`, UNREACHABLE);
      await second.join(`${name}-2`, async () => 'here', { warn: note, error: note });
      const begun = performance.now();
      const { kind } = await second.request(name, 'there?', AbortSignal.timeout(5_000));
      if (kind === 'gone') return fail('bus', `${shown} does not carry messages`, UNREACHABLE);
      return ok('bus', `${shown} (${Math.round((performance.now() - begun) * 10) / 10} ms for a command)`);
    } finally {
      await first.leave(name);
      await second.leave(`${name}-2`);
    }
  } catch (error) {
    const isMissing = error instanceof Error && error.name === 'MissingPackageError';
    const advice = isMissing ? 'Install it beside parley-a2a' : UNREACHABLE;
    return fail('bus', `${shown}: ${withoutPasswords(textOf(error))}`, advice);
  }
}
