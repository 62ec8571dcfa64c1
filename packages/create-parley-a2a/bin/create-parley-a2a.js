#!/usr/bin/env node
// `npm create parley-a2a DIR` is `parley init DIR`: the command and its templates are those of parley-a2a, of the same version.
process.env.PARLEY_CREATE = '1';
process.argv.splice(2, 0, 'init');
await import(new URL('dist/cli/main.js', import.meta.resolve('parley-a2a/package.json')).href);
