/** The fonts of a Linux system, which workers of exports can read: they belong to the system, and contain nothing of an organization. */
export const fontDirectories = ['/usr/share/fonts', '/usr/local/share/fonts'] as const;
