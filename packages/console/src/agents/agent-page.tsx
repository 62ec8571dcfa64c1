import { AgentView } from './agent-view.tsx';

export default function AgentPage({ name }: { readonly name: string }) {
  return <AgentView key={name} target={{ kind: 'own', name }} name={name} />;
}
