// Runs before npm packs the folder. It must be a direct child of npm, which is why its script says `exec`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare } from './packing.ts';

const npm = process.ppid;
prepare();
// npm calls postpack only if packing succeeds. This one restores the folder when npm has ended in any other way.
const restorer = spawn(process.execPath, [join(import.meta.dirname, 'postpack.ts'), String(npm)], {
  detached: true,
  stdio: 'ignore',
});
restorer.unref();
