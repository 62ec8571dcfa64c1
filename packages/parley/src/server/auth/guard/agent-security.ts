import type { Agent } from '../../../agent/agent.ts';
import type { Caller } from '../../../model/call.ts';
import type { AgentCard, SecurityRequirement, SecurityScheme } from '../../../model/card.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import type { Message } from '../../../model/task.ts';
import type { Authentication } from '../combine.ts';
import { missingCredential } from '../refusals.ts';

type DeclaredSecurity = Pick<AgentCard, 'securitySchemes' | 'security'>;

/** One way of satisfying the security of an agent: a caller known by this authenticator, with these scopes. */
interface Way {
  readonly authenticator: string;
  readonly scopes: readonly string[];
}

/** The security that an agent's card declares, and that its callers must therefore prove. */
export class AgentSecurity {
  readonly #own: DeclaredSecurity;
  readonly #authentication: Authentication | undefined;
  /** Undefined where the agent asks for nothing of its own: each authenticator will do. */
  readonly #ways: readonly Way[] | undefined;
  readonly #ofSkills: readonly SecurityRequirement[];
  readonly #scopesOfSkills: readonly string[];
  /** The ways of skills that ask for something of their own. */
  readonly #waysOfSkills: ReadonlyMap<string, readonly Way[]>;
  readonly #onlySkill: string | undefined;
  /** The card has an alternative that asks for nothing. */
  readonly allowsAnonymous: boolean;

  /** Throws a TypeError where the card would ask for what no authenticator takes. */
  constructor(name: string, agent: Agent, authentication: Authentication | undefined, open: boolean) {
    const { securitySchemes, security } = agent.card ?? {};
    this.#own = { securitySchemes, security };
    this.#authentication = authentication;
    const alternatives = security ?? [];
    this.#ofSkills = agent.skills.flatMap((skill) => skill.security ?? []);
    this.#scopesOfSkills = agent.skills.flatMap((skill) => skill.scopes ?? []);
    this.allowsAnonymous = alternatives.some(isEmpty);
    const isLeftToOthers = authentication === undefined && (open || this.allowsAnonymous);
    const waysOf = (all: readonly SecurityRequirement[]) =>
      all.flatMap((alternative) => this.#waysOf(name, alternative));
    const secured = agent.skills.filter((skill) => skill.security?.length && !skill.security.some(isEmpty));
    this.#waysOfSkills = new Map(isLeftToOthers ? [] : secured.map(({ id, security: all = [] }) => [id, waysOf(all)]));
    this.#onlySkill = agent.skills.length === 1 ? agent.skills[0]?.id : undefined;
    this.#ways = alternatives.length === 0 || isLeftToOthers ? undefined : waysOf(alternatives);
  }

  /** The members of the card. */
  get declared(): DeclaredSecurity {
    const authentication = this.#authentication;
    const { securitySchemes, security } = this.#own;
    if (!authentication) return this.#own;
    return {
      securitySchemes: { ...authentication.schemes, ...securitySchemes },
      security: security?.length ? security : authentication.requirements,
    };
  }

  /** All scopes that the card speaks of. */
  get scopes(): readonly string[] {
    const flows = Object.values(this.declared.securitySchemes ?? {}).flatMap((scheme) =>
      scheme.type === 'oauth2' ? Object.values(scheme.flows) : [],
    );
    const required = [...(this.declared.security ?? []), ...this.#ofSkills];
    return [
      ...flows.flatMap((flow) => Object.keys(flow?.scopes ?? {})),
      ...required.flatMap((requirement) => Object.values(requirement).flat()),
      ...this.#scopesOfSkills,
    ];
  }

  /** Refuses a caller who is known, but not in the way or with the scopes that the card asks for. */
  require(caller: Caller): void {
    if (this.#ways !== undefined && !this.allowsAnonymous) requireWay(this.#ways, caller, 'This agent');
  }

  /** Tells whether the agent would let such a caller in. */
  admits(caller: Caller): boolean {
    try {
      this.require(caller);
      return true;
    } catch {
      return false;
    }
  }

  /** The same for a skill, where the message names one or the agent has no other. */
  requireSkill(caller: Caller, { taskId, metadata }: Pick<Message, 'taskId' | 'metadata'>): void {
    if (this.#waysOfSkills.size === 0) return;
    const skill = metadata?.skillId ?? (taskId === undefined ? this.#onlySkill : undefined);
    const ways = typeof skill === 'string' ? this.#waysOfSkills.get(skill) : undefined;
    if (ways !== undefined) requireWay(ways, caller, 'This skill');
  }

  #waysOf(agent: string, alternative: SecurityRequirement): readonly Way[] {
    const entries = Object.entries(alternative);
    const [only] = entries;
    if (only === undefined) return [];
    const names = entries.map(([name]) => `"${name}"`).join(' and ');
    const [name, scopes] = only;
    const declared = this.#own.securitySchemes?.[name];
    const authenticators = (this.#authentication?.authenticators ?? []).filter(
      (one) => one.name === name || (declared !== undefined && isSameKind(one.scheme, declared)),
    );
    if (entries.length === 1 && authenticators.length > 0) {
      return authenticators.map((one) => ({ authenticator: one.name, scopes }));
    }
    const advice =
      'add one to auth, take the requirement off the card, or say open: true if a proxy before this server enforces it';
    throw new TypeError(`The card of "${agent}" asks for ${names}, and no authenticator takes that: ${advice}`);
  }
}

function requireWay(all: readonly Way[], { scheme, scopes }: Caller, what: string): void {
  const ways = all.filter(({ authenticator }) => authenticator === scheme);
  const [first] = ways;
  if (first === undefined) throw missingCredential();
  const lacks = (way: Way) => way.scopes.filter((scope) => !scopes.includes(scope));
  if (ways.some((way) => lacks(way).length === 0)) return;
  const scope = lacks(first).join(' ');
  throw new A2AError('PERMISSION_DENIED', `${what} needs the scope ${scope}`, { metadata: { scope } });
}

function isEmpty(requirement: SecurityRequirement): boolean {
  return Object.keys(requirement).length === 0;
}

/** Tells whether one credential serves both: its place in a request decides. */
function isSameKind(one: SecurityScheme, other: SecurityScheme): boolean {
  if (one.type === 'apiKey' && other.type === 'apiKey') {
    return one.in === other.in && one.name.toLowerCase() === other.name.toLowerCase();
  }
  return one.type !== 'apiKey' && placeOf(one) === placeOf(other);
}

/** The word before a credential in `Authorization`, in lower case. */
function placeOf(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'http':
      return scheme.scheme.toLowerCase();
    case 'oauth2':
    case 'openIdConnect':
      return 'bearer';
    case 'apiKey':
    case 'mutualTLS':
      return scheme.type;
  }
}
