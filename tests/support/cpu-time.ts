/** Starts measuring this process's processor time. Returns a function that returns it in milliseconds. */
export function watchCpuTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

/** Like `watchCpuTime`, but only for this thread, without garbage collection and compilation on other threads. */
export function watchThreadCpuTime(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}
