import type { Credential, SecurityScheme } from 'parley-a2a/client';
import { type FormEvent, useState } from 'react';
import { type AgentTarget, urlOf } from '../../api/clients.ts';
import { Badge, Button, SelectField, TextField } from '../../design/components/index.ts';
import { useAgentSettings } from '../record/use-wire.ts';
import styles from '../tools.module.css';
import { agentSettings, changeAgentSettings } from './agent-settings.ts';
import { forgetLogin, loginFor } from './login.ts';
import { LoginForm, type LoginWay } from './login-form.tsx';
import { tokenUrlOf } from './security-words.ts';

interface SchemeFormProps {
  readonly target: AgentTarget;
  readonly name: string;
  readonly scheme: SecurityScheme;
  /** Something was given, or got. */
  readonly onGiven?: (() => void) | undefined;
}

type Way = 'secret' | 'password' | 'client' | LoginWay;

const WAYS: Readonly<Record<Way, string>> = {
  secret: 'I have a token or key',
  password: 'I have a user name and a password',
  client: 'Get a token with the id and secret of a program',
  program: 'Get a token with the id and secret of a program',
  page: 'Get a token by logging in on a page',
  device: 'Get a token by a code that I type on a page',
};

/** What a person can give for a scheme. */
export function SchemeForm({ target, name, scheme, onGiven }: SchemeFormProps) {
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
  const give = (credential: Credential) => {
    keep(credential);
    onGiven?.();
  };
  const finish = () => {
    setLoggedIn(true);
    onGiven?.();
  };
  if (ways.length === 0) return null;
  if (held) {
    const forget = () => {
      keep(undefined);
      forgetLogin(url);
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
      {way === 'secret' || way === 'password' || way === 'client' ? (
        <SecretForm key={way} way={way} tokenUrl={tokenUrlOf(scheme)} onGiven={give} />
      ) : (
        <LoginForm key={way} target={target} way={way} onDone={finish} />
      )}
    </>
  );
}

interface SecretFormProps {
  readonly way: Exclude<Way, LoginWay>;
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

/** A bearer token may be had from a server that the agent names by itself, whatever its card says. */
function waysOf(scheme: SecurityScheme): readonly Way[] {
  switch (scheme.type) {
    case 'apiKey':
      return ['secret'];
    case 'http':
      if (scheme.scheme.toLowerCase() === 'basic') return ['password'];
      return scheme.scheme.toLowerCase() === 'bearer' ? ['secret', 'page', 'device', 'program'] : ['secret'];
    case 'oauth2':
      return [
        'secret',
        ...(scheme.flows.authorizationCode ? (['page'] as const) : []),
        ...(scheme.flows.deviceCode ? (['device'] as const) : []),
        ...(scheme.flows.clientCredentials ? (['client'] as const) : []),
      ];
    case 'openIdConnect':
      return ['secret', 'page', 'device', 'program'];
    case 'mutualTLS':
      return [];
  }
}
