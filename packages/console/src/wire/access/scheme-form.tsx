import type { Credential, SecurityScheme } from 'parley-a2a/client';
import { type FormEvent, useState } from 'react';
import { type AgentTarget, urlOf } from '../../api/clients.ts';
import { Badge, Button, SelectField, TextField } from '../../design/components/index.ts';
import { useAgentSettings } from '../record/use-wire.ts';
import styles from '../tools.module.css';
import { agentSettings, changeAgentSettings } from './agent-settings.ts';
import { DeviceLogin } from './device-login-form.tsx';
import { loginFor, setLogin } from './login.ts';
import { tokenUrlOf } from './security-words.ts';

interface SchemeFormProps {
  readonly target: AgentTarget;
  readonly name: string;
  readonly scheme: SecurityScheme;
}

type Way = 'secret' | 'password' | 'client' | 'device';

const WAYS: Readonly<Record<Way, string>> = {
  secret: 'I have a token or key',
  password: 'I have a user name and a password',
  client: 'Get a token with the id and secret of a program',
  device: 'Get a token by logging in on a page',
};

/** What a person can give for a scheme. */
export function SchemeForm({ target, name, scheme }: SchemeFormProps) {
  const url = urlOf(target);
  const { credentials = {} } = useAgentSettings(url);
  const ways = waysOf(scheme);
  const [way, setWay] = useState<Way>(ways[0] ?? 'secret');
  const [isLoggedIn, setLoggedIn] = useState(loginFor(url) !== undefined);
  const held = credentials[name] !== undefined || isLoggedIn;
  const keep = (credential: Credential | undefined) => {
    const others = Object.entries(agentSettings(url).credentials ?? {}).filter(([other]) => other !== name);
    const all = credential === undefined ? others : [...others, [name, credential] as const];
    changeAgentSettings(url, { credentials: Object.fromEntries(all) });
  };
  if (ways.length === 0) return null;
  if (held) {
    const forget = () => {
      keep(undefined);
      setLogin(url, undefined);
      setLoggedIn(false);
    };
    return (
      <div className={styles.actions}>
        <Badge tone="good">given</Badge>
        <Button small onClick={forget}>
          Forget it
        </Button>
      </div>
    );
  }
  return (
    <>
      {ways.length > 1 && (
        <SelectField
          label="How"
          value={way}
          onChange={({ target: { value } }) => setWay(ways.find((one) => one === value) ?? 'secret')}
        >
          {ways.map((one) => (
            <option key={one} value={one}>
              {WAYS[one]}
            </option>
          ))}
        </SelectField>
      )}
      {way === 'device' ? (
        <DeviceLogin target={target} onDone={() => setLoggedIn(true)} />
      ) : (
        <SecretForm way={way} tokenUrl={tokenUrlOf(scheme)} onGiven={keep} />
      )}
    </>
  );
}

interface SecretFormProps {
  readonly way: Exclude<Way, 'device'>;
  /** Where the secret of a program goes. */
  readonly tokenUrl: string | undefined;
  readonly onGiven: (credential: Credential) => void;
}

function SecretForm({ way, tokenUrl = '', onGiven }: SecretFormProps) {
  const [who, setWho] = useState('');
  const [secret, setSecret] = useState('');
  const [address, setAddress] = useState(tokenUrl);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (secret === '') return;
    if (way === 'secret') onGiven(secret.trim());
    else if (way === 'password') onGiven({ username: who, password: secret });
    else onGiven({ clientId: who, clientSecret: secret, tokenUrl: address === '' ? undefined : address });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {way !== 'secret' && (
        <TextField
          label={way === 'password' ? 'User name' : 'Client id'}
          autoComplete="off"
          required
          value={who}
          onChange={(event) => setWho(event.target.value)}
        />
      )}
      <TextField
        label={way === 'secret' ? 'Token or key' : way === 'password' ? 'Password' : 'Client secret'}
        type="password"
        autoComplete="off"
        required
        value={secret}
        hint="Kept in this window until you close it."
        onChange={(event) => setSecret(event.target.value)}
      />
      {way === 'client' && (
        <TextField
          label="Address for tokens"
          type="url"
          required
          value={address}
          hint="Id and secret are sent there. Check that you know it: the card has named it."
          onChange={(event) => setAddress(event.target.value)}
        />
      )}
      <div>
        <Button kind="primary" type="submit">
          Use it
        </Button>
      </div>
    </form>
  );
}

/** The client gets tokens by itself where an address is known; devices need an authorization server that has codes. */
function waysOf(scheme: SecurityScheme): readonly Way[] {
  switch (scheme.type) {
    case 'apiKey':
      return ['secret'];
    case 'http':
      return scheme.scheme.toLowerCase() === 'basic' ? ['password'] : ['secret'];
    case 'oauth2':
      return [
        'secret',
        ...(scheme.flows.clientCredentials ? (['client'] as const) : []),
        ...(scheme.flows.deviceCode ? (['device'] as const) : []),
      ];
    case 'openIdConnect':
      return ['secret', 'device'];
    case 'mutualTLS':
      return [];
  }
}
