import type { SecurityScheme } from '../../../../model/card.ts';
import { safeAddress } from '../addresses.ts';
import type { AuthorizationServer, Endpoints, FlowName } from '../server.ts';

/** An authorization server of which only the flows on the card are known; undefined where the card has none. */
export function serverOfCard(scheme: SecurityScheme, near: boolean): AuthorizationServer | undefined {
  if (scheme.type !== 'oauth2') return undefined;
  const { clientCredentials, deviceCode, authorizationCode } = scheme.flows;
  const address = (text: string | undefined) => (text ? safeAddress(text, 'An address on the card', near) : undefined);
  const endpoints: Partial<Record<FlowName, Endpoints>> = {};
  const machineUrl = address(clientCredentials?.tokenUrl);
  if (machineUrl) endpoints.clientCredentials = { tokenUrl: machineUrl };
  const [deviceTokenUrl, deviceUrl] = [address(deviceCode?.tokenUrl), address(deviceCode?.deviceAuthorizationUrl)];
  if (deviceTokenUrl && deviceUrl) endpoints.deviceCode = { tokenUrl: deviceTokenUrl, deviceUrl };
  const [codeUrl, pageUrl] = [address(authorizationCode?.tokenUrl), address(authorizationCode?.authorizationUrl)];
  if (codeUrl && pageUrl) endpoints.authorizationCode = { tokenUrl: codeUrl, authorizationUrl: pageUrl };
  if (Object.keys(endpoints).length === 0) return undefined;
  return { issuer: undefined, endpoints, namesItself: false, takesSecretInForm: false, hasOfflineAccess: false };
}
