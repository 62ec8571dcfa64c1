import {
  type AgentCard,
  type AgentInterface,
  type AgentSkill,
  exampleInput,
  type SecurityRequirement,
  type SecurityScheme,
} from '../../model/card.ts';
import { wrapSpans } from '../markdown/wrap.ts';
import { cleanLine } from '../text/clean.ts';
import type { Style } from '../text/style.ts';
import { padded } from '../text/width.ts';

const LABEL = 12;
const WIDEST = 100;

/** A card for people. All of it comes from a remote agent and is cleaned. */
export function cardLines(
  card: AgentCard,
  used: AgentInterface | undefined,
  style: Style,
  { columns, signature }: { readonly columns: number; readonly signature?: string | undefined },
): readonly string[] {
  const width = Math.min(columns, WIDEST);
  const paragraph = (text: string, indent: string) =>
    text
      .split('\n')
      .map(cleanLine)
      .filter((line) => line !== '')
      .flatMap((line) =>
        wrapSpans([{ text: line, styles: [] }], { style, columns: Math.max(20, width - indent.length) }),
      )
      .map((line) => indent + line.text);
  const row = (label: string, values: readonly string[]) =>
    values.map((value, index) => style.apply(padded(index === 0 ? label : '', LABEL), 'dim') + value);
  const { capabilities, provider, documentationUrl } = card;
  const flags = [
    capabilities.streaming && 'streaming',
    capabilities.pushNotifications && 'push notifications',
    capabilities.extendedAgentCard && 'extended card',
  ].filter((flag) => flag !== false);
  return [
    `${style.apply(cleanLine(card.name) || '(no name)', 'bold')}${card.version ? ` ${cleanLine(card.version)}` : ''}`,
    ...(card.description ? paragraph(card.description, '') : []),
    '',
    ...row('interfaces', interfacesOf(card, used, style)),
    ...row('can', [flags.length > 0 ? flags.join(', ') : 'answer, without streaming']),
    ...row(
      'extensions',
      capabilities.extensions.map(({ uri, required }) => cleanLine(uri) + (required ? ' (required)' : '')),
    ),
    ...row('takes', [cleanLine(card.defaultInputModes.join(', ')) || '–']),
    ...row('gives', [cleanLine(card.defaultOutputModes.join(', ')) || '–']),
    ...row('access', accessOf(card)),
    ...row('signature', signature === undefined ? [] : [signature]),
    ...row('provider', provider ? [cleanLine(`${provider.organization} ${provider.url}`)] : []),
    ...row('more at', documentationUrl ? [cleanLine(documentationUrl)] : []),
    ...card.skills.flatMap((skill) => ['', ...skillLines(skill, style, paragraph)]),
  ];
}

function interfacesOf({ interfaces }: AgentCard, used: AgentInterface | undefined, style: Style): readonly string[] {
  if (interfaces.length === 0) return ['none'];
  return interfaces.map((entry) => {
    const { protocolBinding, protocolVersion, url, tenant } = entry;
    const isUsed =
      used !== undefined &&
      placeOf(used.url) === placeOf(url) &&
      used.protocolBinding === protocolBinding &&
      used.protocolVersion === protocolVersion;
    const kind = padded(cleanLine(`${protocolBinding} ${protocolVersion}`), 14);
    const line = `${kind}  ${cleanLine(url)}${tenant ? ` (tenant ${cleanLine(tenant)})` : ''}`;
    return isUsed ? `${line} ${style.apply('← used', 'green')}` : line;
  });
}

/** An address without its scheme: cards name gRPC as `host:port`, and the client calls it by a URL. */
function placeOf(url: string): string {
  return url.replace(/^[a-z][a-z\d+.-]*:\/{2,3}/i, '').replace(/(?<!\/)\/+$/, '');
}

function skillLines(
  { id, name, description, tags, examples = [] }: AgentSkill,
  style: Style,
  paragraph: (text: string, indent: string) => readonly string[],
): readonly string[] {
  const title = style.apply(cleanLine(name || id), 'bold');
  const details = [cleanLine(id), ...tags.map((tag) => `#${cleanLine(tag)}`)].join(' ');
  return [
    `${title}  ${style.apply(details, 'dim')}`,
    ...(description ? paragraph(description, '  ') : []),
    ...examples
      .slice(0, 3)
      .map((example) => style.apply(`  “${cleanLine(exampleInput(example).replaceAll('\n', ' ⏎ '))}”`, 'cyan')),
  ];
}

/** The alternatives of credentials, a line each; one of them is enough. */
function accessOf({ security, securitySchemes }: AgentCard): readonly string[] {
  if (!securitySchemes || Object.keys(securitySchemes).length === 0) return ['open to everybody'];
  const demanded = security ?? [];
  if (demanded.length === 0) return [`${Object.entries(securitySchemes).map(nameOf).join(', ')} (not demanded)`];
  return demanded.map((requirement) => requirementText(requirement, securitySchemes));
}

function requirementText(requirement: SecurityRequirement, schemes: Readonly<Record<string, SecurityScheme>>): string {
  const needed = Object.entries(requirement).map(([name, scopes]) => {
    const scheme = schemes[name];
    const text = scheme ? nameOf([name, scheme]) : `${cleanLine(name)}, which the card does not explain`;
    return scopes.length > 0 ? `${text} with ${cleanLine(scopes.join(', '))}` : text;
  });
  return needed.length === 0 ? 'open to everybody' : needed.join(' and ');
}

function nameOf([name, scheme]: readonly [string, SecurityScheme]): string {
  switch (scheme.type) {
    case 'apiKey':
      return cleanLine(`${name}: API key in the ${scheme.in} ${scheme.name}`);
    case 'http':
      return cleanLine(`${name}: ${scheme.scheme}`);
    case 'oauth2':
      return cleanLine(`${name}: OAuth 2 (${Object.keys(scheme.flows).join(', ')})`);
    case 'openIdConnect':
      return cleanLine(`${name}: OpenID Connect ${scheme.openIdConnectUrl}`);
    case 'mutualTLS':
      return cleanLine(`${name}: client certificate`);
  }
}
