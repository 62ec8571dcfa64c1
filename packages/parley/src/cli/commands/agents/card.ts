import type { AgentCard } from '../../../model/card.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import type { Command } from '../../command.ts';
import { CardPlace } from '../../connect/card-place.ts';
import { trustOf } from '../../connect/card-trust.ts';
import { agentUrl, clientOf } from '../../connect/connect.ts';
import { type PublishedCard, readPublished, rememberingFetch } from '../../connect/published-card.ts';
import { EXIT } from '../../exit-codes.ts';
import { connectOrLogIn } from '../../login/connect-logged-in.ts';
import { CALL_OPTIONS } from '../../options.ts';
import { CommandError } from '../../show/problems.ts';
import { Screen } from '../../show/screen.ts';
import { cardLines } from '../../show/show-card.ts';
import { reportSignature, signatureLine } from '../../show/show-signature.ts';
import { counted } from '../../text/amounts.ts';
import { cleanLine } from '../../text/clean.ts';
import { Interruption } from '../../turn/interruption.ts';

export const card: Command = {
  name: 'card',
  parameters: 'URL',
  summary: 'show what an agent says about itself, and what is wrong with it',
  details:
    'With --json: the card as published ("card"), the interface that would be called ("interface"), its faults ' +
    '("problems"), and whether a trusted key signed it ("signature"). With --jwks or --trust, a card without a ' +
    'trusted signature is still shown, and the exit code is 1.',
  words: [1, 1],
  options: CALL_OPTIONS,
  examples: [
    'card localhost:4000',
    'card agents.example.com --json',
    'card localhost:4000/a2a/agents/lab',
    'card agents.example.com --jwks https://agents.example.com/.well-known/jwks.json',
  ],

  async run({ positionals: [url = ''], options }, surroundings) {
    const screen = new Screen(surroundings, options.json);
    const interruption = new Interruption(surroundings, screen);
    const { fetch, last } = rememberingFetch();
    const place = new CardPlace();
    try {
      const client = clientOf(url, options, surroundings.env, { fetch: place.watching(fetch), believesAnyCard: true });
      const trust = trustOf(options, surroundings.env);
      screen.busy(`asking ${agentUrl(url)}…`);
      const found = await connectOrLogIn(client, { url, options, surroundings, screen, interruption }).then(
        () => ({ card: client.card, problems: client.cardProblems }),
        (error: unknown) => unusable(error, last()),
      );
      screen.idle();
      if (!found.card) throw new A2AError('INVALID_RESPONSE', 'There is no card');
      const note = place.noteFor(agentUrl(url), found.card, surroundings.program);
      if (note) screen.note(note);
      const published: unknown = JSON.parse(last()?.text ?? 'null');
      const signature = await reportSignature(published, trust);
      if (options.json) {
        screen.object({ card: published, interface: client.interface, problems: found.problems, signature });
      } else {
        const lines = cardLines(found.card, client.interface, screen.style, {
          columns: screen.columns,
          signature: signatureLine(signature),
        });
        screen.write(`${lines.join('\n')}\n`);
        showProblems(found.problems, screen);
      }
      if (signature.status === 'fails') return EXIT.failed;
      return client.interface ? EXIT.done : EXIT.unreachable;
    } finally {
      screen.idle();
      interruption.release();
    }
  },
};

interface Found {
  readonly card: AgentCard | undefined;
  readonly problems: readonly string[];
}

/** A card that cannot be used is still shown: what is wrong with it is what one wants to know. */
async function unusable(error: unknown, published: PublishedCard | undefined): Promise<Found> {
  const isUnusable = error instanceof CommandError && error.code === 'UNSUPPORTED_OPERATION';
  if (!isUnusable || !published) throw error;
  const { card: known, complaints: problems } = await readPublished(published);
  return {
    card: known,
    problems: [...problems, cleanLine(error.message.replace(/\. The card has faults.*$/s, ''))],
  };
}

function showProblems(problems: readonly string[], screen: Screen): void {
  if (problems.length === 0) return;
  const { style } = screen;
  const lines = problems.map((problem) => `  ${style.apply('!', 'yellow')} ${cleanLine(problem)}`);
  screen.write(
    `\n${style.apply(`${counted(problems.length, 'problem')} with this card`, 'yellow', 'bold')}\n${lines.join('\n')}\n`,
  );
}
