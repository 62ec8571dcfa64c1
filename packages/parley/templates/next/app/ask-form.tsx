'use client';

import { A2AClient } from 'parley-a2a';
import { useState } from 'react';

/** Shows the answer as it comes. */
export function AskForm() {
  const [answer, setAnswer] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function ask(form: FormData): Promise<void> {
    const question = form.get('text');
    if (typeof question !== 'string') return;
    setBusy(true);
    setAnswer('');
    try {
      // The card is below the page.
      const { origin, pathname } = window.location;
      const agent = await A2AClient.connect(origin + pathname);
      const stream = agent.sendMessageStream(question);
      for await (const chunk of stream.textStream) setAnswer((text) => text + chunk);
    } catch (error) {
      setAnswer(String(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form action={ask}>
      <input name="text" defaultValue="Ada" aria-label="Your name" />
      <button type="submit" disabled={isBusy}>
        Ask
      </button>
      <pre aria-live="polite">{answer}</pre>
    </form>
  );
}
