import { defineAgent, json } from 'parley-a2a';
import { schema } from './schemas.ts';

const METRES = { m: 1, km: 1000, mile: 1609.344, foot: 0.3048 };
type Unit = keyof typeof METRES;
const UNITS = Object.keys(METRES) as Unit[];

const unit = { type: 'string', enum: UNITS };
const notAUnit = (value: unknown) => !UNITS.includes(value as Unit) && `must be one of ${UNITS.join(', ')}`;
const notANumber = (value: unknown) => !Number.isFinite(value) && 'must be a number';

const input = schema<{ amount: number; from: Unit; to: Unit }>(
  {
    type: 'object',
    required: ['amount', 'from', 'to'],
    properties: { amount: { type: 'number' }, from: unit, to: unit },
  },
  ({ amount, from, to }) => ({ amount: notANumber(amount), from: notAUnit(from), to: notAUnit(to) }),
);

const output = schema<{ amount: number; unit: Unit }>(
  { type: 'object', required: ['amount', 'unit'], properties: { amount: { type: 'number' }, unit } },
  (value) => ({ amount: notANumber(value.amount), unit: notAUnit(value.unit) }),
);

/** Data in, data out: both have a shape that the card shows and both sides check. */
export const converter = defineAgent({
  name: 'converter',
  description: 'Converts lengths',
  version: '1.0.0',
  skills: [
    { id: 'convert', name: 'Convert', description: 'Converts a length', tags: ['units'], input, output },
    { id: 'units', name: 'Units', description: 'Lists the units', tags: ['units'] },
  ],
  run(task) {
    if (task.skill !== 'convert') return `I know ${UNITS.join(', ')}.`;
    const { amount, from, to } = task.input;
    return json({ amount: (amount * METRES[from]) / METRES[to], unit: to });
  },
});
