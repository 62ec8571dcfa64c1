import { analyst } from './analyst.ts';
import { echo } from './echo.ts';
import { lab } from './lab.ts';
import { reporter } from './reporter.ts';

export { createReporter } from './reporter.ts';
export { createWriter } from './writer.ts';
export { analyst, echo, lab, reporter };

/** The agents of the demo. The reporter is the one to make the default. */
export const agents = { reporter, analyst, echo, lab };
