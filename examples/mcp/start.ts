import { startPlanner } from './planner.ts';

const { planner } = await startPlanner();

export default planner;
