// `npm run bench:web`: measures the application in a real browser against the project's goals, in a few minutes.
import { parseArgs } from 'node:util';
import { endAll } from '../tests/support/endings.ts';
import { cleanUpAtExit } from './server/leftovers.ts';
import { isReached, type Section } from './section.ts';
import { formatSection } from './table.ts';
import { measureBytes } from './web/bytes.ts';
import { startWebDesk, type WebDesk } from './web/desk.ts';
import { measureDragging } from './web/dragging.ts';
import { measureExploring } from './web/exploring.ts';
import { measureMemoryOfOpenings } from './web/openings.ts';
import { measureFullDashboard } from './web/full-dashboard.ts';

const usage = `npm run bench:web -- [options]
  --only NAME,...       some of: bytes, full, drag, memory, explore
  --quick               a smoke test: few rounds
  --check               exits with 1 when a goal is missed
`;

const parts: Readonly<Record<string, (desk: WebDesk) => Promise<Section>>> = {
  bytes: measureBytes,
  full: measureFullDashboard,
  drag: measureDragging,
  memory: measureMemoryOfOpenings,
  explore: measureExploring,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const names = values.only?.split(',') ?? Object.keys(parts);
if (names.some((name) => !Object.hasOwn(parts, name))) {
  process.stderr.write(usage);
  process.exit(2);
}

cleanUpAtExit();
const endings: (() => unknown)[] = [];
const sections: Section[] = [];
try {
  const desk = await startWebDesk(
    { after: (end) => void endings.push(end as () => unknown) },
    { isQuick: values.quick },
  );
  for (const name of names) {
    const section = await parts[name]?.(desk);
    if (section === undefined) continue;
    sections.push(section);
    process.stdout.write(`${formatSection(section)}\n\n`);
  }
} finally {
  await endAll(endings);
}
const goals = sections.flatMap((section) => section.goals);
const missedCount = goals.filter((goal) => !isReached(goal)).length;
process.stdout.write(`${goals.length - missedCount} of ${goals.length} goals reached\n`);
process.exit(values.check && missedCount > 0 ? 1 : 0);
