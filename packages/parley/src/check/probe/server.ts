import type { Budget } from '../wire/budget.ts';
import type { Credentials, Target } from '../wire/caller.ts';
import type { Sender } from '../wire/sender.ts';
import type { Capabilities, Declared, FetchedCard } from './cards.ts';
import type { Prompt, Situation } from './prompts.ts';

/** The cards of a server by the version that was asked for. */
interface Cards {
  /** Without a version. */
  readonly plain: FetchedCard;
  readonly '1.0': FetchedCard;
  readonly '0.3': FetchedCard;
}

/** The receiver of push notifications that a check runs. */
export interface Receiver {
  /** A new address, and what arrives there. */
  readonly inbox: () => Inbox;
}

export interface Delivery {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Inbox {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Answers the next deliveries with these statuses, and 200 after them. */
  readonly answer: (...statuses: readonly number[]) => void;
  /** The first delivery that fits; undefined where none comes in time. */
  readonly find: (fits: (delivery: Delivery) => boolean, waitMs: number) => Promise<Delivery | undefined>;
}

/** All that the rules know of the server under check. */
export interface Server {
  /** As the user gave it. */
  readonly url: string;
  /** The address of its card. */
  readonly cardUrl: string;
  readonly cards: Cards;
  /** The card that the check goes by: that of 1.0 where there is one. */
  readonly card: Readonly<Record<string, unknown>>;
  readonly capabilities: Capabilities;
  readonly declared: readonly Declared[];
  readonly targets: readonly Target[];
  /** Interfaces that cannot be looked at here, each with the reason. */
  readonly leftOut: readonly string[];
  readonly budget: Budget;
  readonly sender: Sender;
  readonly credentials: Credentials;
  /** The credentials of another caller, where the user gave some. */
  readonly otherCredentials: Credentials | undefined;
  /** Messages that the user gave for situations. */
  readonly prompts: Readonly<Partial<Record<Situation, Prompt>>>;
  /** Undefined where the server cannot reach this machine. */
  readonly receiver: Receiver | undefined;
}

/** The declared extensions that are Parley's own begin so. */
const OWN_EXTENSIONS = 'urn:parley:ext:';

/** Tells whether a server claims to keep the rules of Parley's own design. */
export function isOurs({ capabilities }: Pick<Server, 'capabilities'>): boolean {
  return capabilities.extensions.some((uri) => uri.startsWith(OWN_EXTENSIONS));
}
