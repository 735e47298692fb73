/** Starts a watch of how long this process computes, in milliseconds: what else the machine does does not count. */
export function watchCpuTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

/** Like `watchCpuTime`, but for this thread, without those that collect garbage or compile for it. */
export function watchThreadCpuTime(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}
