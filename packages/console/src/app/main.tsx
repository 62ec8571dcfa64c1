// Before all else: libraries read the language as they load.
import './usable-language.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../design/tokens.css';
import '../design/base.css';
import { App } from './app.tsx';

const root = document.getElementById('parley-console');
if (root === null) throw new Error('The page has no element "parley-console".');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
