// Before the first paint, so that a dark room is not lit for a moment.
{
  const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  const isDark =
    chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
}
