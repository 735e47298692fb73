import { readFileSync } from 'node:fs';

const controlGroups = '/sys/fs/cgroup';
const machine = '/proc/vmstat';

/** The file that counts the processes of this control group, such as a container's, if the system has such groups. */
function findGroupFile(): string | undefined {
  const path = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup') ?? '')?.[1];
  return path === undefined ? undefined : `${controlGroups}${path === '/' ? '' : path}/memory.events`;
}

/**
 * Returns how many processes Linux has ended so far because memory ran out: of this server's control group or, if that
 * isn't counted, of the whole machine. Returns undefined on other systems.
 */
export function countOomKills(): number | undefined {
  const groupFile = findGroupFile();
  const count = (text: string | undefined) => /^oom_kill (\d+)$/m.exec(text ?? '')?.[1];
  const found = (groupFile && count(read(groupFile))) ?? count(read(machine));
  return found === undefined ? undefined : Number(found);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
