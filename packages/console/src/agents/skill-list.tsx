import { type AgentCard, type AgentSkill, type JsonObject, json } from 'parley-a2a/client';
import { skillSchemasOf } from 'parley-a2a/extensions';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type AgentTarget, segmentOf } from '../api/clients.ts';
import { leaveDraft } from '../chat/talk/draft.ts';
import { Badge, Button, Code, EmptyState, Panel } from '../design/components/index.ts';
import { SchemaForm } from '../design/forms/index.tsx';
import styles from './card.module.css';

/** The skills of an agent, each with what it takes and a way to try it. */
export function SkillList({ target, card }: { readonly target: AgentTarget; readonly card: AgentCard }) {
  const schemas = skillSchemasOf(card);
  if (card.skills.length === 0) {
    return (
      <EmptyState title="The card names no skills">
        <p>You can talk to the agent all the same.</p>
      </EmptyState>
    );
  }
  return (
    <div className={styles.facts}>
      {card.skills.map((skill) => (
        <Skill
          key={skill.id}
          target={target}
          skill={skill}
          input={schemas.get(skill.id)?.input ?? skill.inputSchema}
          output={schemas.get(skill.id)?.output}
        />
      ))}
    </div>
  );
}

interface SkillProps {
  readonly target: AgentTarget;
  readonly skill: AgentSkill;
  readonly input: JsonObject | undefined;
  readonly output: JsonObject | undefined;
}

function Skill({ target, skill, input, output }: SkillProps) {
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const talk = (draft: Parameters<typeof leaveDraft>[0]) => {
    leaveDraft(draft);
    navigate(`/talk/${segmentOf(target)}`);
  };
  return (
    <Panel
      title={skill.name}
      actions={
        input === undefined ? (
          <Button onClick={() => talk({ skill: skill.id })}>Try it</Button>
        ) : (
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Close the form' : 'Try it'}
          </Button>
        )
      }
    >
      <div className={styles.skill}>
        <p>{skill.description}</p>
        <div className={styles.line}>
          <code>{skill.id}</code>
          {skill.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </div>
        {skill.examples !== undefined && skill.examples.length > 0 && (
          <div className={styles.line}>
            {skill.examples.map((example) => {
              const words = typeof example === 'string' ? example : example.input;
              return (
                <Button key={words} small wraps onClick={() => talk({ skill: skill.id, text: words })}>
                  “{words}”
                </Button>
              );
            })}
          </div>
        )}
        {isOpen && input !== undefined && (
          <SchemaForm
            schema={input}
            submitLabel={`Send to ${skill.name}`}
            onSubmit={(value) => talk({ skill: skill.id, send: [json(value as JsonObject)] })}
          />
        )}
        {(input !== undefined || output !== undefined) && (
          <details>
            <summary>Schemas</summary>
            <Code text={JSON.stringify({ input, output }, null, 2)} label={`Schemas of ${skill.name}`} wrap />
          </details>
        )}
      </div>
    </Panel>
  );
}
